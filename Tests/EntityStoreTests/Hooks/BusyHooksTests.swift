import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `S10: A hook may use the store` {
  /// A store that its hooks know.
  private final class Place: Sendable {
    let store = Box<Store?>(nil)
    let errors = Log<String>()

    func run(_ body: (Store) throws -> Void) {
      guard let store = store.value else { return }
      do { try body(store) } catch { errors.note("\(error)") }
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: No lock is held while a hook runs`(_ storage: TestStorage) throws {
    let place = Place()
    let rounds = Counter()
    let isInHook = AtomicWord(0)
    let hooks = RecordingHooks { call in
      // The operations of this hook are reported, too.
      guard isInHook.compareExchange(0, 1) else { return }
      defer { isInHook.store(0) }
      place.run { store in
        // Another thread can do everything meanwhile, so no lock is held.
        let thread = TestThread {
          place.run { store in
            let id = rounds.add()
            try store.commit { try $0.insert(Person(id: id, name: "beside")) }
            _ = try store.find(Person.self, id)
            try store.refresh()
          }
        }
        thread.join()
        // This thread can, too.
        let id = rounds.add()
        try store.commit { try $0.insert(Person(id: id, name: "in a hook")) }
        _ = try store.fetch(Query<Person>())
        _ = store.commits.subscribe { _ in }
      }
    }
    let store = try Store(storage.unwatched, entities: [Person.self, Car.self], hooks: hooks)
    place.store.value = store
    let done = finishes {
      place.run { store in
        try store.commit { try $0.insert(Person(id: 1000, name: "Ann")) }
        _ = try store.find(Person.self, 1000)
        _ = try store.read { $0.version }
        try store.refresh()
        try store.clearHistory()
      }
    }
    #expect(done)
    place.store.value = nil
    #expect(place.errors.entries == [])
    // A commit, two reads and a refresh, each with two calls; in each of them two commits.
    #expect(rounds.value == 2 * 4 * 2)
    #expect(try store.count(Query<Person>()) == 1 + rounds.value)
    hooks.expectPairs()
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: A commit of a hook is made before the one that begins`(
    _ storage: TestStorage
  ) throws {
    let place = Place()
    let hooks = RecordingHooks { call in
      guard call.report == nil, call.operation.name == "Ann" else { return }
      place.run { try $0.commit(named: "hook") { try $0.insert(bob) } }
    }
    let store = try Store(storage.unwatched, entities: [Person.self, Car.self], hooks: hooks)
    place.store.value = store
    let names = Log<String?>()
    let token = store.commits.subscribe { names.note($0.name) }
    try store.commit(named: "Ann") { try $0.insert(ann) }
    #expect(names.entries == ["hook", "Ann"] && place.errors.isEmpty)
    place.store.value = nil
    withExtendedLifetime(token) {}
  }
}
