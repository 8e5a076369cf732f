import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite struct DerivedMisuseTests {
  @Test func `Parts in different places are a precondition`() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      let here = try FetchedObjectsModel(Query<Car>(), in: store)
      let there = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
      _ = here.concatenated(with: there)
    }
  }

  @Test func `No part at all is a precondition`() async {
    await #expect(processExitsWith: .failure) { _ = DerivedModel<Int>(concatenating: []) }
  }

  @Test func `A path that isn't in the snapshot is a precondition`() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      let rows = try FetchedObjectsModel(Query<Car>(), in: store).filter { _ in true }
      _ = rows.snapshot[ListPath(section: 0, row: 0)]
    }
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      let rows = try FetchedObjectsModel(Query<Car>(), in: store).filter { _ in true }
      _ = rows.sections[1]
    }
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      let rows = try FetchedObjectsModel(Query<Car>(), in: store).filter { _ in true }
      _ = rows.sections[0][0]
    }
  }
}

/// A host that carries out what it is told to.
@MainActor
private final class RowHost: ListUpdating {
  var shown: ListSnapshot<CarRow>
  private(set) var drawn: [[CarRow]] = []
  private(set) var reloads = 0

  init(_ shown: ListSnapshot<CarRow>) {
    self.shown = shown
    reloadData()
  }

  var shownRowCounts: [Int]? { drawn.map(\.count) }

  func reloadData() {
    reloads += 1
    drawn = shown.sections.map(\.rows)
  }

  func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    updateData()
    // A pass brings and takes rows; their content is reloaded after it.
    drawn = shown.sections.map(\.rows)
    completion(true)
  }

  func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    for path in rows { drawn[path.section][path.row] = shown[path] }
  }
}

@Suite struct DerivedHostTests {
  @Test @MainActor func `A host shows the events of a derived model without reloading`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let source = try FetchedObjectsModel(byOwner, in: store, delivery: .mainActor)
    let rows = source.filter { $0.year > 2000 }.map {
      CarRow(diffIdentifier: $0.id, title: $0.model, band: 0)
    }
    let host = RowHost(rows.snapshot)
    let token = rows.didChange.subscribe(on: .mainActor) { event in
      host.performBatchUpdates(event) { host.shown = event.after }
    }
    var writer = RandomWriter(random: SeededGenerator(number: 1))
    for _ in 0..<40 {
      try writer.commit(store)
      #expect(host.drawn == rows.sections.map(\.rows))
    }
    #expect(host.reloads == 1)
    token.cancel()
  }
}
