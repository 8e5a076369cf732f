/// The requests of the interactor to its data provider.
@MainActor protocol EditMileageDataProviderInput: AnyObject {
  /// The document, or nil if it has been deleted.
  var object: Ownership? { get }
  func reloadData()
  func updateMileage(_ mileage: Int) throws
}

@MainActor protocol EditMileageDataProviderDelegate: AnyObject {
  func providerDidChangeObject(_ provider: any EditMileageDataProviderInput)
  func provider(_ provider: any EditMileageDataProviderInput, didFail error: any Error)
}

/// The requests of the view.
@MainActor protocol EditMileageInteractorInput: AnyObject {
  func reloadData()
  func updateMileage(_ mileage: Int)
}

/// The messages of the interactor to the presenter.
@MainActor protocol EditMileagePresenterInput: AnyObject {
  func interactor(_ interactor: any EditMileageInteractorInput, didShow ownership: Ownership?)
  func interactorDidUpdate(_ interactor: any EditMileageInteractorInput)
  func interactor(_ interactor: any EditMileageInteractorInput, didFailWith message: String)
}

/// The messages of the presenter to the view.
@MainActor protocol EditMileagePresenterDelegate: AnyObject {
  /// Called with the current document, or nil if it has been deleted.
  func presenterDidShow(_ viewModel: OwnershipViewModel?)
  /// Called when the mileage has been stored.
  func presenterDidUpdate()
  func presenterDidFail(_ message: String)
}
