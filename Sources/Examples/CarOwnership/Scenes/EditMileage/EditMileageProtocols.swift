/// What the interactor asks of its data provider.
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

/// What the view may ask for.
@MainActor protocol EditMileageInteractorInput: AnyObject {
  func reloadData()
  func updateMileage(_ mileage: Int)
}

/// What the interactor tells the presenter.
@MainActor protocol EditMileagePresenterInput: AnyObject {
  func interactor(_ interactor: any EditMileageInteractorInput, didShow ownership: Ownership?)
  func interactorDidUpdate(_ interactor: any EditMileageInteractorInput)
  func interactor(_ interactor: any EditMileageInteractorInput, didFailWith message: String)
}

/// What the presenter tells the view.
@MainActor protocol EditMileagePresenterDelegate: AnyObject {
  /// The document as it is now, or nil if it has been deleted.
  func presenterDidShow(_ viewModel: OwnershipViewModel?)
  /// The mileage has been stored.
  func presenterDidUpdate()
  func presenterDidFail(_ message: String)
}
