import ListDiffing

/// A presenter that turns documents into view models.
///
/// It is the data source of the view.
@MainActor final class OwnershipPresenter: OwnershipPresenterInput {
  weak var delegate: (any OwnershipPresenterDelegate)?
  private weak var source: (any OwnershipDataSource)?

  func interactorDidReloadData(_ interactor: Interactor, source: Source) {
    self.source = source
    delegate?.presenterDidReloadData(self)
  }

  func interactorDidFilterData(_ interactor: Interactor, source: Source) {
    self.source = source
    delegate?.presenterDidFilterData(self)
  }

  func interactorWillChangeContent(_ interactor: Interactor, source: Source) {
    self.source = source
    delegate?.presenterWillChangeContent(self)
  }

  func interactor(
    _ interactor: Interactor, source: Source, didChange ownership: Ownership?, at path: ListPath?,
    for type: ChangeKind, newPath: ListPath?
  ) {
    delegate?.presenter(
      self, didChange: ownership.map { OwnershipViewModel($0) }, at: path, for: type,
      newPath: newPath)
  }

  func interactorDidChangeSection(
    _ interactor: Interactor, source: Source, at index: Int?, for type: ChangeKind, newIndex: Int?
  ) {
    delegate?.presenterDidChangeSection(self, at: index, for: type, newIndex: newIndex)
  }

  func interactorDidChangeContent(_ interactor: Interactor, source: Source) {
    delegate?.presenterDidChangeContent(self)
  }

  func interactor(_ interactor: Interactor, source: Source, didFinishWith message: String) {
    delegate?.presenter(self, didFinishWith: message)
  }
}

extension OwnershipPresenter: OwnershipViewModelDataSource {
  func viewModel(at path: ListPath) -> OwnershipViewModel? {
    source?.object(at: path).map { OwnershipViewModel($0) }
  }

  func carModelID(at path: ListPath) -> ModelID? { source?.objectModelID(at: path)?.car }

  var sectionIndexTitles: [String] { source?.sectionIndexTitles ?? [] }

  var numberOfSections: Int { source?.numberOfSections ?? 0 }

  func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    source?.section(forSectionIndexTitle: title, at: index) ?? 0
  }

  func numberOfRowsInSection(at index: Int) -> Int { source?.numberOfRowsInSection(at: index) ?? 0 }

  func sectionTitle(at index: Int) -> String {
    let name = source?.sectionName(at: index) ?? ""
    return name.isEmpty ? "(no name)" : name
  }

  var committedAt: ContinuousClock.Instant? { source?.committedAt }
}
