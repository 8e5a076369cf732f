import ListDiffing
import Signalbox
import TerminalScreen
import TestSupport
import Testing

@testable import CarOwnership

@MainActor @Suite struct RandomEditsTests {
  @Test(arguments: 0..<12)
  func `Whatever is done, batches lead a table from each version to the next`(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let garage = try Garage(.inMemory)
    let provider = OwnershipDataProvider(garage: garage)
    let listener = ProviderListener()
    provider.delegate = listener
    let view = OwnershipView(interactor: InteractorDouble(), router: HostDouble())
    let presenter = OwnershipPresenter()
    presenter.delegate = view
    let interactor = OwnershipInteractor(dataProvider: provider, presenter: presenter)
    listener.next = interactor
    try provider.reloadData()
    let size = ScreenSize(columns: 60, rows: 200)
    let names = ["Ann", "Bob", "Zoë", "John", ""]
    for step in 0..<60 {
      do {
        try edit(provider, garage, names, &random)
      } catch is StoreError {
        // Two people of one name and birthdate; nothing has happened then.
      }
      #expect(listener.violations == [], "seed \(seed), step \(step)")
      #expect(listener.table.drawn == ProviderListener.list(provider), "seed \(seed), step \(step)")
      // The view has drawn what a new one draws, though it drew only what it was told to.
      let fresh = OwnershipView(interactor: InteractorDouble(), router: HostDouble())
      fresh.presenterDidReloadData(presenter)
      let (rows, expected) = (list(view.rows(for: size)), list(fresh.rows(for: size)))
      #expect(rows == expected, "seed \(seed), step \(step)")
      if !listener.violations.isEmpty || rows != expected { return }
    }
  }

  /// The list's part of a screen, whichever row is chosen.
  private func list(_ rows: [StyledRow]) -> [String] { rows.dropFirst().dropLast(2).map(\.text) }

  private func edit(
    _ provider: OwnershipDataProvider, _ garage: Garage, _ names: [String],
    _ random: inout SeededGenerator
  ) throws {
    let paths = (0..<(provider.numberOfSections ?? 0)).flatMap { section in
      (0..<provider.numberOfRowsInSection(at: section)).map { ListPath(section: section, row: $0) }
    }
    let path = paths.randomElement(using: &random)
    let name = names.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<9, using: &random) {
    case 0: if let path { try provider.deleteObject(at: path) }
    case 1, 2:
      let person = PersonViewModel(
        name: "N\(name)", birthdate: "01 02 200\(Int.random(in: 0..<3, using: &random))")
      let car = CarViewModel(
        model: "M\(Int.random(in: 0..<5, using: &random))", mileage: "7",
        manufacturer: ManufacturerViewModel(name: "BMW"))
      try provider.insertObject(by: OwnershipViewModel(person: person, car: car).makeOwnership())
    case 3, 4: if let path { try provider.renameOwner(at: path, to: name, named: "rename") }
    case 5:
      if let path, var document = provider.object(at: path) {
        document.car.mileage = Int.random(in: 0..<100, using: &random)
        document.car.model = "M\(Int.random(in: 0..<5, using: &random))"
        try provider.updateObject(at: path, by: document, named: "edit")
      }
    case 6: _ = try provider.undo()
    case 7:
      let order = OwnershipOrder.allCases.randomElement(using: &random) ?? .model
      try provider.filterData(containing: random.chance(0.5) ? "" : "m", order: order)
    default:
      // Several changes in one commit, by somebody who knows nothing of the scene.
      try garage.store.commit { draft in
        for person in try draft.fetch(Query<Person>()) where random.chance(0.5) {
          try draft.update(Person.self, person.id) {
            $0.name = names.randomElement(using: &random) ?? ""
          }
        }
        for car in try draft.fetch(Query<CarRecord>()) where random.chance(0.2) {
          try draft.update(CarRecord.self, car.id) { $0.mileage += 1 }
        }
      }
    }
  }

  @Test func `A table notices a row that the changes don't mention`() throws {
    var table = SimulatedTable([ListSection(header: "A", rows: ["a", "b"])])
    let data = [ListSection(header: "A", rows: ["a"])]
    #expect(throws: SimulatedTable.Violation.self) { try table.carryOut(ListChanges(), data: data) }
    let changes = ListChanges(deletes: [ListPath(section: 0, row: 0)])
    try table.carryOut(changes, data: data)
    #expect(table.drawn != data)
  }
}
