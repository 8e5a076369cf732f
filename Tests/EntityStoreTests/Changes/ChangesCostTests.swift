@_spi(Storage) @testable import EntityStore
import Locking
import Relays
import TestSupport
import Testing

/// A level that counts how often it is read.
struct CountedLevel: Storable {
  static let reads = Counter()
  static let storedType = StoredType.integer
  var number: Int

  init(_ number: Int) { self.number = number }

  init(storedValue: StoredValue) throws { number = try Int(storedValue: storedValue) }

  var storedValue: StoredValue {
    Self.reads.add(1)
    return number.storedValue
  }
}

extension CountedLevel: Comparable {
  static func < (a: CountedLevel, b: CountedLevel) -> Bool { a.number < b.number }
}

struct LevelGauge: Entity {
  let id: Int
  var level: CountedLevel
  static let attributes = Attributes(.id(\LevelGauge.id), .attribute("level", \.level))
  static let schema = Schema(attributes, LevelGauge.init)
}

@Suite(.serialized) struct `F12: a commit looks only at the subscriptions that it concerns` {
  /// How many subscriptions a commit asks.
  private func asked(_ store: Store, by commit: Commit) -> Int {
    store.registry.withLock { $0.observers(of: commit.changes).count }
  }

  @Test func `F12: of thousands, a commit asks those whose guard a changed object passes`() throws {
    let store = try Store(.inMemory, entities: [Parcel.self])
    let commits = Recorder(store.commits)
    var parcels = RandomParcels(seed: 3)
    var tokens: [SubscriptionToken] = []
    for number in 0..<3000 {
      let signals = [
        store.changes(of: Parcel.self, number), store.changes(of: Parcel.self) { $0.id == number },
        store.changes(of: Parcel.self) { $0.id.in([number, number + 10_000]) },
        store.changes(of: Parcel.self) { $0.id.in(number...number + 1) },
        store.changes(of: Parcel.self) {
          $0.id > number
          $0.id <= number + 1
          $0.label != ""
        },
      ]
      tokens += signals.map { $0.subscribe { _ in } }
    }
    for number in [0, 1, 1500, 2999] {
      try store.commit { try $0.upsert(parcels.parcel(number)) }
      let commit = try #require(commits.values.last)
      // By id, equal, in; in two closed ranges and one open one, of which the first has fewer.
      expectEqual(asked(store, by: commit), number == 0 ? 4 : 6, "\(number)")
    }
    try store.commit { try $0.upsert(parcels.parcel(20_000)) }
    #expect(try asked(store, by: #require(commits.values.last)) == 0)
    // Each by id, equal and in, and by the ranges that begin with it and before it; those that two of
    // the objects concern are asked once.
    for numbers in [100..<105, 200..<250] {
      try store.commit { draft in
        for number in numbers { try draft.insert(parcels.parcel(number)) }
      }
      let commit = try #require(commits.values.last)
      #expect(asked(store, by: commit) == numbers.count * 5 + 1)
    }
    tokens = []
    #expect(try asked(store, by: #require(commits.values.last)) == 0)
    _ = tokens
  }

  @Test func `F12: a Bool that all subscriptions test doesn't make a commit ask all`() throws {
    let store = try Store(.inMemory, entities: [Parcel.self])
    let commits = Recorder(store.commits)
    let tokens = (0..<1000).map { number in
      store.changes(of: Parcel.self) { $0.isSent == false && $0.seal == [UInt8(number % 250)] }
        .subscribe { _ in }
    }
    var parcels = RandomParcels(seed: 3)
    var parcel = parcels.parcel(1)
    (parcel.isSent, parcel.seal) = (false, [7])
    try store.commit { try $0.insert(parcel) }
    #expect(try asked(store, by: #require(commits.values.last)) == 4)
    withExtendedLifetime(tokens) {}
  }

  @Test func `F12: how often an attribute is read doesn't depend on unconcerned subscriptions`()
    throws
  {
    func reads(others: Int) throws -> Int {
      let store = try Store(.inMemory, entities: [LevelGauge.self])
      try store.commit { try $0.insert(LevelGauge(id: 1, level: CountedLevel(5))) }
      var tokens = (0..<others).map { number in
        let level = CountedLevel(100 + number)
        return store.changes(of: LevelGauge.self) { $0.level.in(level...level) }.subscribe { _ in }
      }
      tokens += (0..<others).map { number in
        store.changes(of: LevelGauge.self) { $0.level == CountedLevel(100 + number) }.subscribe {
          _ in
        }
      }
      let recorder = Recorder(store.changes(of: LevelGauge.self) { $0.level < CountedLevel(10) })
      let before = CountedLevel.reads.value
      try store.commit { try $0.update(LevelGauge.self, 1) { $0.level = CountedLevel(6) } }
      let count = CountedLevel.reads.value - before
      #expect(recorder.values.count == 1)
      withExtendedLifetime(tokens) {}
      return count
    }
    let few = try reads(others: 10)
    #expect(try reads(others: 2000) == few)
    // The old and the new value, to find the subscription, to ask it and to compare the objects.
    #expect(few <= 12)
  }
}
