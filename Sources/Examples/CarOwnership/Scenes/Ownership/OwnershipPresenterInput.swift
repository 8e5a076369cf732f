import ListDiffing

/// The messages of the interactor to the presenter.
///
/// Every call passes the data source.
@MainActor protocol OwnershipPresenterInput: AnyObject {
  typealias Interactor = any OwnershipInteractorInput
  typealias Source = any OwnershipDataSource

  func interactorDidReloadData(_ interactor: Interactor, source: Source)
  func interactorDidFilterData(_ interactor: Interactor, source: Source)
  func interactorWillChangeContent(_ interactor: Interactor, source: Source)
  func interactor(
    _ interactor: Interactor, source: Source, didChange ownership: Ownership?, at path: ListPath?,
    for type: ChangeKind, newPath: ListPath?)
  func interactorDidChangeSection(
    _ interactor: Interactor, source: Source, at index: Int?, for type: ChangeKind, newIndex: Int?)
  func interactorDidChangeContent(_ interactor: Interactor, source: Source)

  /// Called when a request has a result that the user should read.
  func interactor(_ interactor: Interactor, source: Source, didFinishWith message: String)
}

/// The data source of a view, like that of a table for its cells.
@MainActor protocol OwnershipViewModelDataSource: AnyObject {
  func viewModel(at path: ListPath) -> OwnershipViewModel?
  /// Returns the id of the car in a row, to open the other scene.
  func carModelID(at path: ListPath) -> ModelID?

  var sectionIndexTitles: [String] { get }
  var numberOfSections: Int { get }
  func section(forSectionIndexTitle title: String, at index: Int) -> Int
  func numberOfRowsInSection(at index: Int) -> Int
  func sectionTitle(at index: Int) -> String

  var committedAt: ContinuousClock.Instant? { get }
}

/// The messages of the presenter to a view.
///
/// The presenter passes itself as the data source.
@MainActor protocol OwnershipPresenterDelegate: AnyObject {
  typealias Source = any OwnershipViewModelDataSource

  func presenterDidReloadData(_ source: Source)
  func presenterDidFilterData(_ source: Source)
  func presenterWillChangeContent(_ source: Source)
  func presenter(
    _ source: Source, didChange viewModel: OwnershipViewModel?, at path: ListPath?,
    for type: ChangeKind, newPath: ListPath?)
  func presenterDidChangeSection(
    _ source: Source, at index: Int?, for type: ChangeKind, newIndex: Int?)
  func presenterDidChangeContent(_ source: Source)
  func presenter(_ source: Source, didFinishWith message: String)
}
