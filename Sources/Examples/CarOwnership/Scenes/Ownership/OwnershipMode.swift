import TerminalScreen

/// The mode that determines the meaning of keys.
enum OwnershipMode: Hashable {
  case browsing
  /// The next letter is a title of the section index.
  case jumping
  case filtering(TextInput)
  /// The owner of a car gets another name. The car may go meanwhile, or get another owner.
  case renaming(TextInput, PersonViewModel, carModelID: ModelID)
  case inserting(OwnershipForm)
  case help
}

/// The form for a new document.
///
/// The user fills in one field at a time.
struct OwnershipForm: Hashable {
  enum Field: String, CaseIterable {
    case owner = "Owner"
    case birthdate = "Born (dd mm yyyy or yyyy-mm-dd)"
    case manufacturer = "Manufacturer"
    case model = "Model"
    case mileage = "Mileage"
  }

  private(set) var field = Field.owner
  private(set) var texts: [Field: String] = [:]
  var input: TextInput

  /// The owner of another document, with which the form begins.
  ///
  /// Its birthdate needn't be typed again.
  private let likely: PersonViewModel?

  init(likely: PersonViewModel?) {
    self.likely = likely
    input = TextInput(likely?.name ?? "")
  }

  /// Throws if the text in the field is invalid.
  private func check() throws(ViewModelError) {
    let text = input.text
    switch field {
    case .owner, .manufacturer, .model:
      _ = try ViewModelError.checked(text, as: field.rawValue.lowercased())
    case .birthdate: if DayFormat.day(text) == nil { throw .invalidDate(text) }
    case .mileage: if MileageFormat.mileage(text) == nil { throw .invalidMileage(text) }
    }
  }

  /// Moves to the next field.
  ///
  /// It returns false after the last one.
  ///
  /// An error in a field is reported immediately, not after all fields.
  mutating func advance() throws(ViewModelError) -> Bool {
    try check()
    texts[field] = input.text
    let fields = Field.allCases
    guard let index = fields.firstIndex(of: field), index + 1 < fields.count else { return false }
    field = fields[index + 1]
    let isLikely = field == .birthdate && trimmed(texts[.owner] ?? "") == likely?.name
    input = TextInput(texts[field] ?? (isLikely ? likely?.birthdate ?? "" : ""))
    return true
  }

  /// The view model of all fields.
  var viewModel: OwnershipViewModel {
    func text(_ field: Field) -> String { texts[field] ?? "" }
    return OwnershipViewModel(
      person: PersonViewModel(name: text(.owner), birthdate: text(.birthdate)),
      car: CarViewModel(
        model: text(.model), mileage: text(.mileage),
        manufacturer: ManufacturerViewModel(name: text(.manufacturer))))
  }
}
