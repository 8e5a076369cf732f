import ListDiffing
import Signalbox
import TestSupport
import Testing

@testable import CarOwnership

/// Keeps what a data provider tells, and copies its list by what it is told.
@MainActor final class ProviderListener: OwnershipDataProviderDelegate {
  let log = Log()
  /// The list as batches have made it; headers are titles, rows car and mileage.
  private(set) var table = SimulatedTable()
  private(set) var violations: [String] = []
  private var batch = OwnershipBatch()
  /// Who is told the same afterwards.
  var next: (any OwnershipDataProviderDelegate)?

  static func list(_ provider: any OwnershipDataProviderInput) -> [ListSection<String, String>] {
    (0..<(provider.numberOfSections ?? 0)).map { section in
      ListSection(
        header: provider.sectionName(at: section) ?? "",
        rows: (0..<provider.numberOfRowsInSection(at: section)).map { row in
          provider.object(at: ListPath(section: section, row: row)).map {
            "\($0.car.id) \($0.car.model) \($0.car.mileage) \($0.owner.name)"
          } ?? "nil"
        })
    }
  }

  func providerDidReloadData(_ provider: any OwnershipDataProviderInput) {
    log.add("reload")
    table = SimulatedTable(Self.list(provider))
    next?.providerDidReloadData(provider)
  }
  func providerDidFilterData(_ provider: any OwnershipDataProviderInput) {
    log.add("filter")
    next?.providerDidFilterData(provider)
  }
  func providerWillChangeContent(_ provider: any OwnershipDataProviderInput) {
    log.add("will")
    batch = OwnershipBatch()
    next?.providerWillChangeContent(provider)
  }
  func provider(
    _ provider: any OwnershipDataProviderInput, didChange ownership: Ownership?,
    at path: ListPath?, for type: ChangeKind, newPath: ListPath?
  ) {
    log.add("\(type) \(ownership?.car.model ?? "nil") \(text(path)) \(text(newPath))")
    batch.addRow(type, path, newPath)
    next?.provider(provider, didChange: ownership, at: path, for: type, newPath: newPath)
  }
  func providerDidChangeSection(
    _ provider: any OwnershipDataProviderInput, at index: Int?, for type: ChangeKind, newIndex: Int?
  ) {
    log.add("\(type) section \(index ?? -1) \(newIndex ?? -1)")
    batch.addSection(type, index, newIndex)
    next?.providerDidChangeSection(provider, at: index, for: type, newIndex: newIndex)
  }
  func providerDidChangeContent(_ provider: any OwnershipDataProviderInput) {
    log.add("did")
    let data = Self.list(provider)
    do { try table.carryOut(batch.changes, data: data) } catch { violations.append("\(error)") }
    if table.drawn != data { violations.append("\(table.drawn) is drawn, not \(data)") }
    next?.providerDidChangeContent(provider)
  }
  func provider(_ provider: any OwnershipDataProviderInput, didFail error: any Error) {
    log.add("error \(error)")
  }
}

@MainActor @Suite struct OwnershipDataProviderTests {
  private let garage: Garage
  private let provider: OwnershipDataProvider
  private let listener = ProviderListener()

  init() throws {
    garage = try Garage(.inMemory)
    provider = OwnershipDataProvider(garage: garage)
    provider.delegate = listener
  }

  private func path(_ section: Int, _ row: Int) -> ListPath { ListPath(section: section, row: row) }

  private func expectGood(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(listener.violations == [], sourceLocation: sourceLocation)
    #expect(
      listener.table.drawn == ProviderListener.list(provider), sourceLocation: sourceLocation)
  }

  @Test func `An empty garage is reported as empty, and what is inserted comes as changes`() throws
  {
    #expect(provider.objects == nil && provider.numberOfSections == nil)
    try provider.reloadData()
    let lines = listener.log.take()
    #expect(lines.prefix(2) == ["reload", "will"] && lines.last == "did")
    #expect(lines.count { $0.hasPrefix("insert section") } == 3)
    #expect(lines.count == 3 + 3 + 6)
    #expect(provider.objects?.map(\.car.model) == ["S500", "X5", "3", "320i", "Camry", "Corolla"])
    #expect(provider.sectionIndexTitles == ["A", "J", "S"])
    #expect(try garage.store.count(Query<Manufacturer>()) == 4)
    expectGood()
    try provider.reloadData()
    #expect(listener.log.take() == ["reload"])
  }

  @Test func `A garage from which all cars were deleted stays empty`() throws {
    try provider.reloadData()
    var document = try #require(provider.object(at: path(0, 0)))
    document.owner.name = "Bob"
    try provider.updateObject(at: path(0, 0), by: document, named: "x")
    while let one = provider.objects?.first { try provider.deleteObject(object: one) }
    try provider.reloadData()
    #expect(provider.objects?.isEmpty == true)
  }

  @Test
  func `An update updates, and an insert takes the owner and manufacturer that there are`()
    throws
  {
    try provider.reloadData()
    var document = try #require(provider.object(at: path(0, 0)))
    document.car.mileage = 1
    try provider.updateObject(at: path(0, 0), by: document, named: "x")
    #expect(provider.object(at: path(0, 0)) == document)
    let car = CarViewModel(
      model: "Yaris", mileage: "5", manufacturer: ManufacturerViewModel(name: "Toyota"))
    let new = OwnershipViewModel(person: PersonViewModel(document.owner), car: car)
    try provider.insertObject(by: try new.makeOwnership())
    #expect(try garage.store.count(Query<Person>()) == 3)
    #expect(try garage.store.count(Query<Manufacturer>()) == 4)
    #expect(provider.object(at: path(0, 2))?.car.manufacturer.ranking == 3)
    expectGood()
  }

  @Test func `Typed values of a shown document are saved without another owner or manufacturer`()
    throws
  {
    try provider.reloadData()
    var document = try #require(provider.object(at: path(1, 0)))
    var viewModel = OwnershipViewModel(document)
    viewModel.person.name = "Jack"
    viewModel.car.mileage = "7"
    try viewModel.update(&document)
    try provider.updateObject(at: path(1, 0), by: document, named: "edit 3")
    #expect(provider.object(at: path(1, 0)) == document)
    #expect(provider.sectionName(at: 1) == "Jack")
    #expect(document.car.mileage == 7 && document.car.manufacturer.ranking == 4)
    #expect(try garage.store.count(Query<Person>()) == 3)
    #expect(try garage.store.count(Query<Manufacturer>()) == 4)
    #expect(try garage.store.count(Query<CarRecord>()) == 6)
    expectGood()
  }

  @Test func `Objects are deleted by value and by path`() throws {
    try provider.reloadData()
    try provider.deleteObject(object: Seed.ownerships[0])
    try provider.deleteObject(at: path(0, 0))
    #expect(provider.objects?.map(\.car.model) == ["3", "320i", "Camry", "Corolla"])
    expectGood()
    #expect(throws: StoreError.notFound(ObjectID(CarRecord.self, "amir-X5"))) {
      try provider.deleteObject(object: Seed.ownerships[0])
    }
  }

  @Test func `An owner's new name moves the section, and nothing is inserted or deleted`()
    throws
  {
    try provider.reloadData()
    _ = listener.log.take()
    try provider.renameOwner(at: path(1, 0), to: "Zed", named: "rename John")
    let lines = listener.log.take()
    #expect(lines.contains("move section 1 2"))
    #expect(!lines.contains { $0.hasPrefix("insert") || $0.hasPrefix("delete") })
    #expect(provider.sectionName(at: 2) == "Zed")
    expectGood()
  }

  @Test func `An owner's new name leaves what another program has written since`() throws {
    try provider.reloadData()
    provider.pause()
    let car = try #require(provider.object(at: path(1, 0))?.car)
    try garage.store.commit { try $0.update(CarRecord.self, car.id) { $0.mileage += 7 } }
    let interactor = OwnershipInteractor(dataProvider: provider, presenter: PresenterDouble())
    interactor.renameOwner(at: path(1, 0), to: "Jon")
    #expect(try garage.store.find(CarRecord.self, car.id)?.mileage == car.mileage + 7)
    #expect(try garage.store.find(Person.self, "john")?.name == "Jon")
    #expect(try provider.undo() == "rename John")
    #expect(try garage.store.find(CarRecord.self, car.id)?.mileage == car.mileage + 7)
  }

  @Test func `Two owners of one name have sections of their own`() throws {
    try provider.reloadData()
    let other = PersonViewModel(name: "Amir", birthdate: "01 01 2000")
    let car = CarViewModel(Seed.ownerships[0].car)
    try provider.insertObject(by: OwnershipViewModel(person: other, car: car).makeOwnership())
    #expect((0..<4).map { provider.sectionName(at: $0) } == ["Amir", "Amir", "John", "Sara"])
    #expect(provider.sectionIndexTitles == ["A", "J", "S"])
    expectGood()
  }

  @Test func `A car that has lost its owner or manufacturer is in no document`() throws {
    try provider.reloadData()
    try garage.store.commit { draft in
      try draft.delete(Person.self, "sara")
      try draft.delete(Manufacturer.self, "benz")
    }
    #expect(provider.objects?.map(\.car.model) == ["X5", "3", "320i", "Camry"])
    #expect(try garage.store.count(Query<CarRecord>()) == 6)
    expectGood()
  }

  @Test func `A filter or an order is reported as its exact changes, and then as done`() throws {
    try provider.reloadData()
    _ = listener.log.take()
    try provider.filterData(containing: "toy", order: .model)
    #expect(provider.objects?.map(\.car.model) == ["Camry", "Corolla"])
    let lines = listener.log.take()
    #expect(lines.first == "will" && lines.last == "filter")
    #expect(lines.count { $0.hasPrefix("delete ") && !$0.hasPrefix("delete section") } == 4)
    expectGood()
    try provider.filterData(containing: "JÖHN", order: .mileage)
    #expect(provider.objects?.map(\.car.model) == ["320i", "Camry", "3"])
    try provider.filterData(containing: "", order: .manufacturer)
    #expect(
      provider.objects?.map(\.car.model) == ["X5", "S500", "320i", "3", "Camry", "Corolla"])
    expectGood()
  }

  @Test func `Changes are undone and done again by name, but not the seed`() throws {
    try provider.reloadData()
    #expect(try provider.undo() == nil)
    try provider.deleteObject(at: path(0, 0))
    let after = provider.objects
    #expect(try provider.undo() == "delete S500")
    #expect(provider.objects?.count == 6)
    #expect(try provider.redo() == "delete S500")
    #expect(provider.objects == after)
    #expect(try provider.redo() == nil)
    expectGood()
  }

  @Test func `During a pause nothing is reported, then the difference as one batch`() throws {
    try provider.reloadData()
    _ = listener.log.take()
    provider.pause()
    try provider.deleteObject(object: Seed.ownerships[0])
    try provider.deleteObject(object: Seed.ownerships[5])
    #expect(listener.log.take() == [])
    #expect(provider.objects?.count == 6)
    provider.resume()
    let lines = listener.log.take()
    #expect(lines.count { $0 == "will" } == 1)
    #expect(lines.contains("delete section 2 -1"))
    #expect(provider.objects?.count == 4)
    expectGood()
  }

  @Test func `A rule that is broken throws, and nothing has changed`() throws {
    try provider.reloadData()
    let before = provider.objects
    var document = try #require(provider.object(at: path(0, 0)))
    document.car.mileage = -1
    #expect(throws: StoreError.self) {
      try provider.updateObject(at: path(0, 0), by: document, named: "x")
    }
    document = try #require(provider.object(at: path(0, 0)))
    document.owner.name = "John"
    document.owner.birthdate = Seed.ownerships[2].owner.birthdate
    #expect(throws: StoreError.self) {
      try provider.updateObject(at: path(0, 0), by: document, named: "x")
    }
    #expect(provider.objects == before)
  }
}
