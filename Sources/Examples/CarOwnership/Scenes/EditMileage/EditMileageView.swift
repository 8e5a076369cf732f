import TerminalScreen

/// A view of one car, whose mileage can be edited.
///
/// It follows changes by others.
@MainActor final class EditMileageView: ScreenView {
  private let interactor: any EditMileageInteractorInput
  weak var host: (any ScreenHost)?
  private(set) var viewModel: OwnershipViewModel?
  private(set) var input = TextInput()
  private(set) var message = ""

  init(interactor: any EditMileageInteractorInput) { self.interactor = interactor }

  func didAppear() { interactor.reloadData() }

  func rows(for size: ScreenSize) -> [StyledRow] {
    var rows = [StyledRow(" Edit the mileage", TextStyle(.cyan, bold: true, inverse: true))]
    if let viewModel {
      let car = viewModel.car
      rows += [
        StyledRow(), StyledRow("  \(car.manufacturer.name) \(car.model)", .bold),
        StyledRow("  \(viewModel.person.name), born \(viewModel.person.birthdate)"),
        StyledRow("  now \(car.mileage)", TextStyle(.green)), StyledRow(),
        StyledRow("  Mileage: \(input.text)▏", .bold),
      ]
    } else {
      rows += [StyledRow(), StyledRow("  This car has been deleted.")]
    }
    rows += [StyledRow("  " + message), StyledRow("  Enter keeps it, Escape goes back.", .dim)]
    return Array(rows.prefix(size.rows))
  }

  func take(_ key: Key) {
    message = ""
    switch key {
    case .escape: host?.pop()
    case .enter:
      guard viewModel != nil else { host?.pop(); return }
      guard let mileage = MileageFormat.mileage(input.text) else {
        message = ViewModelError.invalidMileage(input.text).description
        return
      }
      interactor.updateMileage(mileage)
    default: _ = input.take(key)
    }
  }
}

extension EditMileageView: EditMileagePresenterDelegate {
  func presenterDidShow(_ viewModel: OwnershipViewModel?) {
    self.viewModel = viewModel
    host?.setNeedsDisplay()
  }

  func presenterDidUpdate() { host?.pop() }

  func presenterDidFail(_ message: String) {
    self.message = message
    host?.setNeedsDisplay()
  }
}
