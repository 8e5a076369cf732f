/// A presenter that turns the document into a view model.
@MainActor final class EditMileagePresenter: EditMileagePresenterInput {
  weak var delegate: (any EditMileagePresenterDelegate)?

  func interactor(_ interactor: any EditMileageInteractorInput, didShow ownership: Ownership?) {
    delegate?.presenterDidShow(ownership.map { OwnershipViewModel($0) })
  }

  func interactorDidUpdate(_ interactor: any EditMileageInteractorInput) {
    delegate?.presenterDidUpdate()
  }

  func interactor(_ interactor: any EditMileageInteractorInput, didFailWith message: String) {
    delegate?.presenterDidFail(message)
  }
}
