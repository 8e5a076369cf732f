import ListDiffing
import Testing

@testable import CarOwnership

@MainActor @Suite struct OwnershipInteractorTests {
  private let provider = DataProviderDouble()
  private let presenter = PresenterDouble()
  private let interactor: OwnershipInteractor

  init() {
    interactor = OwnershipInteractor(dataProvider: provider, presenter: presenter)
    provider.sections = [Array(Seed.ownerships[0..<2]), Array(Seed.ownerships[2..<5])]
  }

  @Test func `Requests go to the data provider`() {
    interactor.reloadData()
    interactor.deleteObject(object: Seed.ownerships[0])
    interactor.deleteObject(at: ListPath(section: 1, row: 2))
    interactor.updateObject(at: ListPath(section: 0, row: 1), by: Seed.ownerships[1])
    interactor.insertObject(by: Seed.ownerships[3])
    interactor.pause()
    interactor.resume()
    #expect(
      provider.log.lines == [
        "reload", "delete X5", "delete at 1.2", "update 0.1 Amir S500 31500 as edit S500",
        "insert 3", "pause", "resume",
      ])
    #expect(presenter.log.lines == [])
  }

  @Test func `Renaming an owner asks for another name alone`() {
    interactor.renameOwner(at: ListPath(section: 1, row: 0), to: "Zed")
    #expect(provider.log.take() == ["rename 1.0 Zed as rename John"])
    interactor.renameOwner(at: ListPath(section: 1, row: 0), to: "John")
    #expect(provider.log.take() == [])
  }

  @Test func `Filter and order stay together`() {
    interactor.filterData(containing: "x")
    interactor.sortData(by: .mileage)
    interactor.filterData(containing: "")
    #expect(
      provider.log.lines == [
        "filter \"x\" by model", "filter \"x\" by mileage", "filter \"\" by mileage",
      ])
    interactor.providerDidFilterData(provider)
    let path = ListPath(section: 0, row: 1)
    interactor.providerWillChangeContent(provider)
    interactor.provider(
      provider, didChange: Seed.ownerships[1], at: path, for: .update, newPath: path)
    #expect(presenter.log.lines == ["filter", "will", "update S500 0.1 0.1"])
  }

  @Test func `An undone commit is reported, and also that there is nothing to undo`() {
    provider.undoName = "delete X5"
    interactor.undo()
    interactor.redo()
    provider.undoName = nil
    interactor.undo()
    interactor.redo()
    #expect(
      presenter.log.lines == [
        "message Undone: delete X5.", "message Done again: delete X5.",
        "message There is nothing to undo.", "message There is nothing to do again.",
      ])
  }

  @Test func `The failure of any request is reported`() {
    provider.refuses = true
    let path = ListPath(section: 0, row: 0)
    let requests: [() -> Void] = [
      { interactor.reloadData() }, { interactor.deleteObject(at: path) },
      { interactor.deleteObject(object: Seed.ownerships[0]) },
      { interactor.updateObject(at: path, by: Seed.ownerships[0]) },
      { interactor.insertObject(by: Seed.ownerships[0]) },
      { interactor.renameOwner(at: path, to: "Z") }, { interactor.filterData(containing: "x") },
      { interactor.sortData(by: .mileage) }, { interactor.undo() }, { interactor.redo() },
    ]
    for request in requests {
      request()
      #expect(presenter.log.take() == ["message refused"])
    }
    interactor.provider(provider, didFail: Refusal())
    #expect(presenter.log.take() == ["message refused"])
  }
}
