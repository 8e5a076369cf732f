import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

/// A host of a model's snapshots that draws what it is told to, and asks for nothing else.
@MainActor
private final class SnapshotHost: ListUpdating {
  var listUpdateStyle = ListPresentation.Style.passThenReload
  var isListShown = true
  var shown: ListSnapshot<EntityView<Car>>
  private(set) var headers: [String] = []
  private(set) var drawn: [[String]] = []
  private(set) var reloads = 0

  init(_ shown: ListSnapshot<EntityView<Car>>) {
    self.shown = shown
    reloadData()
  }

  var shownRowCounts: [Int]? { drawn.map(\.count) }

  static func text(_ car: EntityView<Car>) -> String {
    "\(car.id) \(car.model) \(car.year)"
  }

  func reloadData() {
    reloads += 1
    headers = shown.sections.map(\.name)
    drawn = shown.sections.map { $0.map { Self.text($0) } }
  }

  func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    updateData()
    for step in pass.steps {
      switch step {
      case .deleteSection(let section):
        headers.remove(at: section)
        drawn.remove(at: section)
      case .insertSection(let section):
        headers.insert(shown.sections[section].name, at: section)
        drawn.insert(shown.sections[section].map { Self.text($0) }, at: section)
      case .moveSection(let old, let new):
        headers.insert(headers.remove(at: old), at: new)
        drawn.insert(drawn.remove(at: old), at: new)
      case .deleteRow(let path): drawn[path.section].remove(at: path.row)
      case .insertRow(let path):
        drawn[path.section].insert(Self.text(shown[path]), at: path.row)
      case .moveRow(let old, let new):
        drawn[new.section].insert(drawn[old.section].remove(at: old.row), at: new.row)
      }
    }
    completion(true)
  }

  func reloadList(rows: [ListPath], headers positions: [Int], animated: Bool) {
    for path in rows { drawn[path.section][path.row] = Self.text(shown[path]) }
    for position in positions { headers[position] = shown.sections[position].name }
  }
}

@MainActor
@Suite struct EventOnHostTests {
  @Test(
    .oneThread, arguments: [ListPresentation.Style.singlePass, .passThenReload, .stages],
    [false, true])
  func `D5, F2: a host that gets only events shows what the model has`(
    _ style: ListPresentation.Style, isIndexOnly: Bool
  ) throws {
    for seed in seeds(25) {
      var generator = SeededGenerator(seed: seed)
      let store = try TestStorage.memory.makeGarage()
      try store.commit { draft in
        for id in 1...5 { try draft.insert(Person(id: id, name: "P\(id)", age: nil)) }
      }
      let query = Query<Car>().sorted { [$0.year.ascending, $0.id.ascending] }
        .sectioned(
          by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending }
        )
        .including { $0.owner.name }
      let model = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
      let host = SnapshotHost(model.snapshot)
      host.listUpdateStyle = style
      // The models of one place show the same version.
      let indexed =
        isIndexOnly ? try IndexedObjectsModel(query, in: store, delivery: .mainActor) : nil
      let token =
        indexed?.didChange.subscribe(on: .mainActor) { event in
          host.performBatchUpdates(event) { host.shown = model.snapshot }
        }
        ?? model.didChange.subscribe(on: .mainActor) { event in
          host.performBatchUpdates(event) { host.shown = event.after }
        }
      for step in 0..<40 {
        try store.commit { draft in
          for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let id = Int.random(in: 1...20, using: &generator)
            let owner = Int.random(in: 0...5, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try? draft.delete(Car.self, id)
            case 1:
              let person = Int.random(in: 1...5, using: &generator)
              try draft.update(Person.self, person) { $0.name = "P\((step + person) % 9)" }
            default:
              try draft.upsert(
                Car(
                  id: id, model: "M\(step % 3)", year: Int.random(in: 0...5, using: &generator),
                  owner: owner == 0 ? nil : Ref(owner)))
            }
          }
        }
        #expect(host.headers == model.snapshot.sections.map(\.name))
        #expect(host.drawn == model.snapshot.sections.map { $0.map { SnapshotHost.text($0) } })
      }
      #expect(host.reloads == 1)
      token.cancel()
      withExtendedLifetime(indexed) {}
    }
  }

  @Test func `S8, F4: a moved section's header is shown again if its bytes differ`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for (id, name) in [(1, "\u{e9}"), (2, "b"), (3, "c")] {
        try draft.insert(Person(id: id, name: name, age: id))
        try draft.insert(Car(id: id, model: "m", year: id, owner: Ref(id)))
      }
    }
    let query = Query<Car>().sectioned(
      by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.age.ascending })
    let model = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
    let host = SnapshotHost(model.snapshot)
    let token = model.didChange.subscribe(on: .mainActor) { event in
      host.performBatchUpdates(event) { host.shown = event.after }
    }
    try store.commit { draft in
      try draft.update(Person.self, 1) { person in
        person.name = "e\u{301}"
        person.age = 9
      }
    }
    #expect(host.reloads == 1)
    #expect(
      host.headers.map { Array($0.utf8) } == ["b", "c", "e\u{301}"].map { Array($0.utf8) })
    token.cancel()
  }

  @Test func `A host that isn't shown reloads`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let host = SnapshotHost(model.snapshot)
    host.isListShown = false
    var answers: [Bool] = []
    let token = model.didChange.subscribe(on: .mainActor) { event in
      host.performBatchUpdates(event) {
        host.shown = event.after
      } completion: {
        answers.append($0)
      }
    }
    try store.fillGarage()
    #expect(host.reloads == 2)
    #expect(host.drawn.map(\.count) == [4])
    #expect(answers == [true])
    token.cancel()
  }

  @Test func `The rows of a snapshot can be compared as they are`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let before = Array(model.snapshot.sections[0])
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    let diff = ListDiff(from: before, to: Array(model.snapshot.sections[0]))
    #expect("\(diff.changes)" == "update 0.1 → 0.1")
  }
}
