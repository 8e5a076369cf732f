import Testing

@testable import CarOwnership

@Suite struct FormatsTests {
  @Test func `Days are those of the calendar, and are written as they are read`() {
    #expect(Day(year: 2024, month: 2, day: 29) != nil)
    #expect(Day(year: 2000, month: 2, day: 29) != nil)
    #expect(Day(year: 1900, month: 2, day: 29) == nil)
    #expect(Day(year: 2023, month: 4, day: 31) == nil)
    #expect(Day(year: 2023, month: 13, day: 1) == nil)
    for day in [Day(year: 1980, month: 5, day: 4), Day(year: 9, month: 12, day: 31)] {
      #expect(day.map { DayFormat.day(DayFormat.text($0)) } == day)
    }
    #expect(DayFormat.text(Day(rawValue: 1980_05_04)) == "04 05 1980")
    #expect(DayFormat.day("1980-05-04") == Day(rawValue: 1980_05_04))
  }

  @Test(arguments: ["", "4 5", "4 5 1980 1", "x 5 1980", "30 02 1980", "04 00 1980", "٤ 5 1980 ."])
  func `An invalid day is refused, and nothing crashes`(text: String) {
    #expect(DayFormat.day(text) == nil)
    let person = PersonViewModel(name: "Ann", birthdate: text)
    #expect(throws: ViewModelError.invalidDate(text)) { try person.makePerson() }
  }

  @Test(arguments: [
    ("0", 0), ("94,000 km", 94_000), ("1234567", 1_234_567), (" 12 ", 12), ("12km", 12),
  ])
  func `Mileages are read with and without unit`(text: String, mileage: Int) {
    #expect(MileageFormat.mileage(text) == mileage)
    #expect(MileageFormat.mileage(MileageFormat.text(mileage)) == mileage)
  }

  @Test(arguments: ["", "-1", "1.5", "ten", "99999999999999999999999", ",", "km"])
  func `An invalid mileage is refused`(text: String) {
    #expect(MileageFormat.mileage(text) == nil)
  }

  @Test func `A document leads to what people read and back, but for its identities`() throws {
    let ownership = Seed.ownerships[0]
    let again = try OwnershipViewModel(ownership).makeOwnership()
    #expect(OwnershipViewModel(again) == OwnershipViewModel(ownership))
    #expect(again.car.id != ownership.car.id)
    #expect(again.owner.birthdate == ownership.owner.birthdate)
  }

  @Test func `Typed values update a document, which keeps its identities and the ranking`() throws {
    var ownership = Seed.ownerships[0]
    var viewModel = OwnershipViewModel(ownership)
    viewModel.person = PersonViewModel(name: " Amira ", birthdate: "1990-02-01")
    viewModel.car = CarViewModel(
      model: "X6", mileage: "1,000 km", manufacturer: ManufacturerViewModel(name: "Bayern"))
    try viewModel.update(&ownership)
    let manufacturer = Manufacturer(id: "bmw", name: "Bayern", ranking: 1)
    #expect(
      ownership
        == Ownership(
          owner: Person(id: "amir", name: "Amira", birthdate: Day(rawValue: 1990_02_01)),
          car: Car(id: "amir-X5", model: "X6", mileage: 1_000, manufacturer: manufacturer)))
    let again = ownership
    try OwnershipViewModel(ownership).update(&ownership)
    #expect(ownership == again)
  }

  @Test func `An update with a value that can't be read throws, and changes nothing`() {
    var ownership = Seed.ownerships[0]
    var viewModel = OwnershipViewModel(ownership)
    viewModel.person.name = "Zed"
    viewModel.car.model = "X6"
    let cases: [(WritableKeyPath<OwnershipViewModel, String>, String, ViewModelError)] = [
      (\.person.birthdate, "30 02 1980", .invalidDate("30 02 1980")),
      (\.car.mileage, "ten", .invalidMileage("ten")),
      (\.car.manufacturer.name, " ", .empty(field: "manufacturer")),
    ]
    for (field, text, expected) in cases {
      var typed = viewModel
      typed[keyPath: field] = text
      #expect(throws: expected) { try typed.update(&ownership) }
      #expect(ownership == Seed.ownerships[0])
    }
  }

  @Test func `A name of blanks is none`() {
    var viewModel = OwnershipViewModel(Seed.ownerships[0])
    viewModel.person.name = "  "
    #expect(throws: ViewModelError.empty(field: "owner")) { try viewModel.makeOwnership() }
    viewModel = OwnershipViewModel(Seed.ownerships[0])
    viewModel.car.manufacturer.name = ""
    #expect(throws: ViewModelError.empty(field: "manufacturer")) { try viewModel.makeOwnership() }
  }

  @Test func `Identities are unique, and long enough to stay so`() {
    let ids = Set((0..<1000).map { _ in ModelID.unique() })
    #expect(ids.count == 1000)
    #expect(ids.allSatisfy { $0.count == 32 })
  }
}
