import EntityStore
import Fixtures
import ListDiffing
import TestSupport
import Testing

@testable import FetchedObjects

@Suite struct ConcatenationCostTests {
  private typealias List = DerivedModel<EntityView<Car>>

  /// A store of 400 cars of four years.
  private func makeStore() throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<400 { try draft.insert(Car(id: id, model: "\(id)", year: 1900 + id / 100)) }
    }
    return store
  }

  /// Returns a list of twenty parts, each with cars of all years.
  private func makeWhole(_ source: FetchedObjectsModel<Car>) -> List {
    var parts: [any ListModel<EntityView<Car>>] = []
    for part in 0..<20 { parts.append(source.filter { $0.id % 20 == part }) }
    return List(concatenating: parts)
  }

  /// Counts the rows that a filter of a list looks at, in all events of the list.
  private func count(_ list: List, _ rows: Counter) -> ShownEventObserver<EntityView<Car>> {
    let derivation = RowDerivation<EntityView<Car>, EntityView<Car>>(kind: .filter) { $0 }
    let observer = ShownEventObserver<EntityView<Car>>(
      showing: { event in
        let before = derivation.content(of: event.before.content)
        let step = DerivationStep<EntityView<Car>>(
          event, of: before.sections, isFilter: true, derivation.transform)
        rows.add(step.touched.count)
      }, notifying: {})
    list.add(observer)
    return observer
  }

  @Test func `F6: another query of all parts is one pass over a list that is derived from them`()
    throws
  {
    let source = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.id.ascending] }.sectioned { $0.year }, in: makeStore())
    let whole = makeWhole(source)
    let lists: [List] = [
      whole, whole.map { $0 }, whole.filter { $0.id % 3 == 0 }, whole.concatenated(with: whole),
    ]
    let counts = lists.map { _ in Counter() }
    let observers = lists.indices.map { count(lists[$0], counts[$0]) }
    let events = lists.map { Recorder($0.didChange) }
    try source.setQuery(
      Query<Car>().sorted { [$0.id.descending] }.sectioned { $0.year })
    #expect(counts.map { $0.value } == [400, 400, 134, 800])
    #expect(events.map(\.values.count) == [1, 1, 1, 1])
    withExtendedLifetime(observers) {}
  }

  @Test func `F2, D2: the changes that a commit makes in all parts are one event`() throws {
    let store = try makeStore()
    let source = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.id.ascending] }.sectioned { $0.year }, in: store)
    let whole = makeWhole(source)
    let events = Recorder(whole.didChange)
    // A section of each part disappears, and each part has a new first one.
    try store.commit { draft in
      for id in 0..<100 { try draft.delete(Car.self, id) }
      for id in 400..<420 { try draft.insert(Car(id: id, model: "\(id)", year: 1899)) }
      for id in 150..<350 { try draft.update(Car.self, id) { $0.model = "new" } }
    }
    #expect(events.values.count == 1)
    let event = try #require(events.values.first)
    #expect(event.changes == event.before.changes(to: event.after))
    #expect(event.changes.deletedSections.count == 20)
    #expect(event.changes.insertedSections.count == 20)
    #expect(event.changes.updates.count == 200)
  }

  @Test func `Changes are joined in pairs, so that none is copied for each part that follows`() {
    var copies = 0
    let joined = (0..<20).map { [$0] }.joinedInPairs { first, second in
      copies += first.count + second.count
      return first + second
    }
    #expect(joined == Array(0..<20))
    // There would be 209 if each was joined with all before it.
    #expect(copies == 92)
    for count in 0..<9 {
      let joined = (0..<count).map { [$0] }.joinedInPairs { $0 + $1 }
      let all: [Int]? = count == 0 ? nil : Array(0..<count)
      #expect(joined == all)
    }
  }
}
