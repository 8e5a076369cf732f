import EntityStore
import Locking
import TestSupport
import Testing

@testable import FetchedObjects

/// A number that counts how often it is read.
private struct Counted: Storable, Hashable {
  static let reads = AtomicWord(0)
  static var storedType: StoredType { .integer }

  let number: Int

  init(_ number: Int) { self.number = number }

  init(storedValue: StoredValue) throws { number = try Int(storedValue: storedValue) }

  var storedValue: StoredValue {
    Self.reads.add(1)
    return number.storedValue
  }
}

private struct WeighedThing: Entity {
  let id: Int
  var weight: Counted
  static let attributes = Attributes(.id(\WeighedThing.id), .attribute("weight", \.weight))
  static let schema = Schema(attributes, WeighedThing.init)
}

@Suite(.oneThread) struct `Feeds of a whole list and of a window of it` {
  @Test func `F14: each keeps its hashes although the other one is asked, too`() throws {
    let (count, rounds) = (3000, 10)
    let store = try Store(.inMemory, entities: [WeighedThing.self])
    // The window has its own rows, beside an index.
    NearRowsLimits.of(store).most.store(0)
    try store.commit { draft in
      for id in 0..<count { try draft.insert(WeighedThing(id: id, weight: Counted(id))) }
    }
    let query = Query<WeighedThing>().sorted { [$0.id.ascending] }
    let models = try [query, query.limit(1_000, offset: 100)].map {
      try FetchedObjectsModel($0, in: store)
    }
    var cursors: [FeedCursor?] = [nil, nil]
    func ask() {
      for place in models.indices {
        cursors[place] = models[place].feed(after: cursors[place]).cursor
      }
    }
    func change(_ weight: Int) throws {
      try store.commit { try $0.update(WeighedThing.self, 105) { $0.weight = Counted(weight) } }
    }
    // From the first page on, later snapshots keep their sums; the second page makes them all.
    for round in 1...3 {
      ask()
      try change(-round)
    }
    ask()
    let before = Counted.reads.load()
    for round in 1...rounds {
      try change(round)
      ask()
    }
    #expect(Counted.reads.load() - before < 500)
  }
}
