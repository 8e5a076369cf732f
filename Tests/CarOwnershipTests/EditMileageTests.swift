import Signalbox
import TerminalScreen
import Testing

@testable import CarOwnership

@MainActor private final class CarDouble: EditMileageDataProviderInput {
  let log = Log()
  var object: Ownership? = Seed.ownerships[2]
  var refuses = false
  func reloadData() { log.add("reload") }
  func updateMileage(_ mileage: Int) throws {
    log.add("update \(mileage)")
    if refuses { throw Refusal() }
  }
}

@MainActor private final class MileagePresenterDouble: EditMileagePresenterInput {
  let log = Log()
  func interactor(_ interactor: any EditMileageInteractorInput, didShow ownership: Ownership?) {
    log.add("show \(ownership?.car.mileage ?? -1)")
  }
  func interactorDidUpdate(_ interactor: any EditMileageInteractorInput) { log.add("did update") }
  func interactor(_ interactor: any EditMileageInteractorInput, didFailWith message: String) {
    log.add("message \(message)")
  }
}

@MainActor private final class MileageInteractorDouble: EditMileageInteractorInput {
  let log = Log()
  func reloadData() { log.add("reload") }
  func updateMileage(_ mileage: Int) { log.add("update \(mileage)") }
}

@MainActor private final class MileageListener: EditMileageDataProviderDelegate {
  let log = Log()
  func providerDidChangeObject(_ provider: any EditMileageDataProviderInput) {
    log.add("\(provider.object?.car.mileage ?? -1)")
  }
  func provider(_ provider: any EditMileageDataProviderInput, didFail error: any Error) {}
}

@MainActor @Suite struct EditMileageTests {
  @Test func `The data provider follows the car, its owner and its end`() throws {
    let garage = try Garage(.inMemory)
    try garage.store.commit { try Seed.fill($0) }
    let provider = try EditMileageDataProvider(garage: garage, carModelID: "john-Camry")
    let listener = MileageListener()
    provider.delegate = listener
    #expect(provider.object == Seed.ownerships[2])
    provider.reloadData()
    try provider.updateMileage(7)
    try garage.store.commit { try $0.update(Person.self, "john") { $0.name = "Jack" } }
    #expect(provider.object?.owner.name == "Jack")
    try garage.store.commit { try $0.update(CarRecord.self, "amir-X5") { $0.mileage = 1 } }
    try garage.store.commit { try $0.delete(CarRecord.self, "john-Camry") }
    #expect(listener.log.lines == ["94000", "7", "7", "-1"])
    #expect(provider.object == nil)
    #expect(throws: StoreError.self) { try provider.updateMileage(8) }
    #expect(throws: StoreError.self) {
      try EditMileageDataProvider(garage: garage, carModelID: "nobody's")
    }
    #expect(garage.store.undoNames == ["mileage of Camry"])
  }

  @Test func `The interactor asks the data provider, and notifies the presenter`() {
    let provider = CarDouble()
    let presenter = MileagePresenterDouble()
    let interactor = EditMileageInteractor(dataProvider: provider, presenter: presenter)
    interactor.reloadData()
    interactor.updateMileage(5)
    #expect(provider.log.lines == ["reload", "update 5"])
    #expect(presenter.log.take() == ["did update"])
    interactor.providerDidChangeObject(provider)
    provider.object = nil
    interactor.providerDidChangeObject(provider)
    interactor.provider(provider, didFail: Refusal())
    provider.refuses = true
    interactor.updateMileage(6)
    #expect(presenter.log.lines == ["show 94000", "show -1", "message refused", "message refused"])
  }

  @Test func `The view shows the car, reads a mileage, and goes back when that is stored`() {
    let interactor = MileageInteractorDouble()
    let host = HostDouble()
    let view = EditMileageView(interactor: interactor)
    view.host = host
    view.didAppear()
    let presenter = EditMileagePresenter()
    presenter.delegate = view
    presenter.interactor(interactor, didShow: Seed.ownerships[2])
    let size = ScreenSize(columns: 60, rows: 20)
    var texts: [String] { view.rows(for: size).map { trimmed($0.text) } }
    #expect(texts.contains("Toyota Camry") && texts.contains("John, born 23 11 1975"))
    #expect(texts.contains("now 94,000 km"))
    view.take(.enter)
    #expect(texts.contains("\"\" is not a number of kilometres."))
    for letter in "95,000" { view.take(.character(letter)) }
    view.take(.enter)
    #expect(interactor.log.lines == ["reload", "update 95000"])
    #expect(host.log.lines == [])
    presenter.interactor(interactor, didFailWith: "no")
    #expect(texts.contains("no"))
    presenter.interactorDidUpdate(interactor)
    #expect(host.log.take() == ["pop"])
    presenter.interactor(interactor, didShow: nil)
    #expect(texts.contains("This car has been deleted."))
    view.take(.enter)
    #expect(host.log.take() == ["pop"])
    #expect(interactor.log.lines.count == 2)
    for rows in 0..<12 {
      #expect(view.rows(for: ScreenSize(columns: 3, rows: rows)).count <= rows)
    }
  }
}
