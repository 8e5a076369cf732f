import EntityStore
import Locking
import TestSupport
import Testing

/// An id that says when its stored form is read.
private struct WatchedID: Storable, Hashable {
  static let onRead = Locked<(@Sendable () -> Void)?>(nil)
  static let storedType = StoredType.integer

  let number: Int

  init(_ number: Int) { self.number = number }

  init(storedValue: StoredValue) throws { number = try Int(storedValue: storedValue) }

  var storedValue: StoredValue {
    Self.onRead.withLock { $0 }?()
    return number.storedValue
  }
}

private struct Watched: Entity {
  let id: WatchedID
  static let attributes = Attributes(.id(\Watched.id))
  static let schema = Schema(attributes, Watched.init)
}

@Suite(.timeLimit(.minutes(20))) struct EnlargingTests {
  @Test func `S5: a read doesn't wait while a table in memory is made larger`() throws {
    let store = try Store(.inMemory, entities: [Watched.self])
    try store.commit { draft in
      for number in 0..<50 { try draft.insert(Watched(id: WatchedID(number))) }
    }
    let reads = Counter()
    let outcomes = Log<String>()
    WatchedID.onRead.withLock {
      $0 = {
        // So many are read by a commit of one row only where all rows find new places.
        guard reads.add(1) == 50 else { return }
        let isRead = Counter()
        let reader = TestThread {
          _ = try? store.count(Query<Watched>())
          isRead.set(1)
        }
        let isFree = becomesTrueBlocking { isRead.value == 1 }
        outcomes.note(isFree ? "read" : "waited")
        if isFree { reader.join() }
      }
    }
    for number in 50..<500 where outcomes.entries.isEmpty {
      reads.set(0)
      try store.commit { try $0.insert(Watched(id: WatchedID(number))) }
    }
    WatchedID.onRead.withLock { $0 = nil }
    #expect(outcomes.entries == ["read"])
  }

  @Test func `S5: a table grows one by one and by many, and keeps all that others hold`() throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    var snapshots: [Store.Snapshot] = []
    var counts: [Int] = []
    var next = 0
    for round in 0..<600 {
      try store.commit { draft in
        for _ in 0..<(round % 50 == 7 ? 40 : 1) {
          try draft.insert(Owner(id: next))
          next += 1
        }
        // At the limit of a table a row goes and another comes, too.
        if round % 3 == 1 { try draft.delete(Owner.self, next - 2) }
      }
      if round % 10 == 0 {
        snapshots.append(try store.snapshot())
        counts.append(try store.count(Query<Owner>()))
      }
    }
    #expect(try snapshots.map { try $0.count(Query<Owner>()) } == counts)
    let all = try Set(store.all(Owner.self).map(\.id))
    for id in 0..<next {
      expectEqual(try store.find(Owner.self, id) != nil, all.contains(id))
    }
  }
}
