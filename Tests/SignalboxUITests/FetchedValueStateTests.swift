@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import SignalboxUI

/// A text with a type of its own.
private struct Name: RawRepresentable, Hashable, Storable { let rawValue: String }

/// A number with a type of its own.
private struct Level: RawRepresentable, Hashable { let rawValue: Double }

/// A key of two parts.
private struct Place: Hashable {
  var level: Double?
  var name: Name
}

/// The number of cars since a year.
@Sendable private func count(since year: Int) -> FetchedValueState<Int>.Read {
  { try $0.count(Query<Car>().filter { $0.year >= year }) }
}

@MainActor @Suite struct FetchedValueStateTests {
  private let store: Store
  private let state = FetchedValueState<Int>()

  init() throws { store = try Self.filled(3) }

  private static func filled(_ count: Int) throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...count {
        try draft.insert(Car(id: id, model: "m\(id)", year: 2000 + id, owner: nil))
      }
    }
    return store
  }

  @Test func `F15: the value is there at once, and follows commits`() throws {
    #expect(state.value == nil && state.error == nil)
    state.show(for: 0, in: store, count(since: 2002))
    #expect(state.value == 2)
    let redraws = drawing { _ = state.value }
    try store.commit { try $0.delete(Car.self, 3) }
    #expect(redraws.value == 1 && state.value == 1)
  }

  @Test func `F15: a commit that leaves the value equal draws nothing`() throws {
    state.show(for: 0, in: store, count(since: 2002))
    let redraws = drawing { _ = (state.value, state.error) }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(redraws.value == 0)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(redraws.value == 1 && state.value == 1)
  }

  @Test func `F15: it follows its key and its store, and nothing else`() throws {
    state.show(for: 2002, in: store, count(since: 2002))
    var redraws = drawing { _ = (state.value, state.error) }
    state.show(for: 2002, in: store, count(since: 1))
    #expect(redraws.value == 0 && state.value == 2)
    state.show(for: 2003, in: store, count(since: 2003))
    #expect(redraws.value == 1 && state.value == 1)
    let other = try Self.filled(9)
    redraws = drawing { _ = state.value }
    state.show(for: 2003, in: other, count(since: 2003))
    #expect(redraws.value == 1 && state.value == 7)
    try store.commit { try $0.delete(Car.self, 3) }
    #expect(state.value == 7)
  }

  @Test func `S8: keys whose texts have other bytes are other keys`() throws {
    func keys(_ text: String) -> [AnyHashable] {
      [
        AnyHashable(text), AnyHashable(Optional(text)), AnyHashable(Name(rawValue: text)),
        AnyHashable(Substring(text)), AnyHashable(Character(text)),
        AnyHashable(ObjectID(entityName: "Seat", id: .list([.text(text), .integer(1)]))),
      ]
    }
    for (one, two) in zip(keys("\u{E9}"), keys("e\u{301}")) {
      state.show(for: one, in: store, count(since: 2002))
      #expect(state.value == 2, "\(one)")
      state.show(for: two, in: store, count(since: 2003))
      #expect(state.value == 1, "\(one)")
      let redraws = drawing { _ = (state.value, state.error) }
      state.show(for: two, in: store, count(since: 1))
      #expect(redraws.value == 0 && state.value == 1, "\(one)")
    }
  }

  @Test func `S8: a key that is NaN is the same at each drawing`() {
    #if arch(x86_64) && os(Linux)
    let wide = AnyHashable(Float80.nan)
    #else
    let wide = AnyHashable(-Double.nan)
    #endif
    for key in [
      AnyHashable(Double.nan), AnyHashable(Optional(Float.nan)), wide, AnyHashable([Double.nan]),
      AnyHashable(Level(rawValue: .nan)),
      AnyHashable(Place(level: .nan, name: Name(rawValue: "here"))),
    ] {
      #expect(state.follow(for: key, in: store, count(since: 2002)))
      #expect(!state.follow(for: key, in: store, count(since: 1)))
      #expect(state.follow(for: 0, in: store, count(since: 2003)) && state.value == 1)
      #expect(state.follow(for: key, in: store, count(since: 2002)) && state.value == 2)
    }
  }

  @Test func `S8: a key with NaN in an array is the same at each drawing`() {
    struct Levels: Hashable {
      var values: [Double]
    }
    func key() -> AnyHashable { AnyHashable(Levels(values: [1, .nan])) }
    #expect(state.follow(for: key(), in: store, count(since: 2002)))
    #expect(!state.follow(for: key(), in: store, count(since: 1)))
    let other = AnyHashable(Levels(values: [2, .nan]))
    #expect(state.follow(for: other, in: store, count(since: 2003)) && state.value == 1)
  }

  @Test func `S8: a key that is NaN in part is another one if the rest differs`() {
    let (here, there) = (Name(rawValue: "here"), Name(rawValue: "there"))
    state.show(for: Place(level: .nan, name: here), in: store, count(since: 2002))
    #expect(state.follow(for: Place(level: .nan, name: there), in: store, count(since: 2003)))
    #expect(state.value == 1)
    #expect(state.follow(for: Place(level: nil, name: there), in: store, count(since: 2002)))
    #expect(state.value == 2)
  }

  @Test func `F12: while a view is drawn, nothing is delivered and nobody is notified`() throws {
    let other = FetchedValueState<Int>()
    other.show(for: 0, in: store, count(since: 1))
    state.show(for: 0, in: store, count(since: 1))
    let told = Log<Int>()
    let token = store.commits.subscribe(on: .mainActor) { told.note(Int($0.version)) }
    let redraws = drawing { _ = (other.value, state.value) }
    // It waits for the main actor.
    TestThread { [store] in try? store.commit { try $0.delete(Car.self, 2) } }.join()
    #expect(state.follow(for: 1, in: store, count(since: 2)))
    #expect(told.isEmpty && redraws.value == 0 && other.value == 3 && state.value == 2)
    state.notify()
    #expect(redraws.value == 1)
    token.cancel()
  }

  @Test func `S6: what a closure throws is the error, the last value stays, and it can be retried`()
    throws
  {
    struct Refusal: Error {}
    state.show(for: 0, in: store, count(since: 1))
    let isAllowed = Log<Bool>()
    let redraws = drawing { _ = state.error }
    state.show(for: 1, in: store) { reader in
      if isAllowed.isEmpty { throw Refusal() }
      return try reader.count(Query<Car>()) * 10
    }
    #expect(redraws.value == 1 && state.value == 3 && state.error is Refusal)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(state.value == 3, "the former closure isn't followed any more")
    state.retry()
    #expect(state.error is Refusal)
    isAllowed.note(true)
    state.retry()
    #expect(state.value == 20 && state.error == nil)
    state.retry()
    #expect(state.value == 20)
  }

  @Test func `F11: another key's value, which can be read, ends the tries of the first`() throws {
    struct Refusal: Error {}
    let tries = Counter()
    state.show(for: 0, in: store) { _ in
      tries.add()
      throw Refusal()
    }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(tries.value == 2 && state.error is Refusal)
    state.show(for: 1, in: store, count(since: 1))
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(tries.value == 2 && state.value == 1 && state.error == nil)
  }
}
