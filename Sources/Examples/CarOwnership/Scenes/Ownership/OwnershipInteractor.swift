import ListDiffing

/// The use cases of the scene.
///
/// It connects the view, the data provider and the presenter.
@MainActor final class OwnershipInteractor: OwnershipInteractorInput {
  private let dataProvider: any OwnershipDataProviderInput
  private let presenter: any OwnershipPresenterInput
  private var text = ""
  private var order = OwnershipOrder.model

  init(dataProvider: any OwnershipDataProviderInput, presenter: any OwnershipPresenterInput) {
    self.dataProvider = dataProvider
    self.presenter = presenter
  }

  func reloadData() { attempt { try dataProvider.reloadData() } }

  func deleteObject(object: Ownership) {
    attempt { try dataProvider.deleteObject(object: object) }
  }

  func deleteObject(at path: ListPath) { attempt { try dataProvider.deleteObject(at: path) } }

  func updateObject(at path: ListPath, by data: Ownership) {
    attempt { try dataProvider.updateObject(at: path, by: data, named: "edit \(data.car.model)") }
  }

  func insertObject(by data: Ownership) { attempt { try dataProvider.insertObject(by: data) } }

  func renameOwner(at path: ListPath, to name: String) {
    guard let owner = dataProvider.object(at: path)?.owner, owner.name != name else { return }
    attempt { try dataProvider.renameOwner(at: path, to: name, named: "rename \(owner.name)") }
  }

  func filterData(containing text: String) {
    self.text = text
    attempt { try dataProvider.filterData(containing: text, order: order) }
  }

  func sortData(by order: OwnershipOrder) {
    self.order = order
    attempt { try dataProvider.filterData(containing: text, order: order) }
  }

  func undo() {
    attempt {
      let name = try dataProvider.undo()
      report(name.map { "Undone: \($0)." } ?? "There is nothing to undo.")
    }
  }

  func redo() {
    attempt {
      let name = try dataProvider.redo()
      report(name.map { "Done again: \($0)." } ?? "There is nothing to do again.")
    }
  }

  func pause() { dataProvider.pause() }

  func resume() { dataProvider.resume() }

  private func report(_ message: String) {
    presenter.interactor(self, source: dataProvider, didFinishWith: message)
  }

  /// Carries out a request.
  ///
  /// A request that fails changes nothing, and its error is shown to the user.
  private func attempt(_ request: () throws -> Void) {
    do { try request() } catch { report("\(error)") }
  }
}

extension OwnershipInteractor: OwnershipDataProviderDelegate {
  func providerDidReloadData(_ provider: any OwnershipDataProviderInput) {
    presenter.interactorDidReloadData(self, source: provider)
  }

  func providerDidFilterData(_ provider: any OwnershipDataProviderInput) {
    presenter.interactorDidFilterData(self, source: provider)
  }

  func providerWillChangeContent(_ provider: any OwnershipDataProviderInput) {
    presenter.interactorWillChangeContent(self, source: provider)
  }

  func provider(
    _ provider: any OwnershipDataProviderInput, didChange ownership: Ownership?,
    at path: ListPath?, for type: ChangeKind, newPath: ListPath?
  ) {
    presenter.interactor(
      self, source: provider, didChange: ownership, at: path, for: type, newPath: newPath)
  }

  func providerDidChangeSection(
    _ provider: any OwnershipDataProviderInput, at index: Int?, for type: ChangeKind,
    newIndex: Int?
  ) {
    presenter.interactorDidChangeSection(
      self, source: provider, at: index, for: type, newIndex: newIndex)
  }

  func providerDidChangeContent(_ provider: any OwnershipDataProviderInput) {
    presenter.interactorDidChangeContent(self, source: provider)
  }

  func provider(_ provider: any OwnershipDataProviderInput, didFail error: any Error) {
    presenter.interactor(self, source: provider, didFinishWith: "\(error)")
  }
}
