@_spi(Storage) import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

@Suite struct FirstObjectsTests {
  @Test(arguments: [true, false])
  func `S5: a body that takes the first object again and again reads few objects twice`(
    _ isDeleted: Bool
  ) throws {
    let storage = CountedStorage()
    let store = try Store(.custom { storage }, entities: [Owner.self])
    let count = 500
    try store.commit { draft in
      for id in 1...count { try draft.insert(Owner(id: id, name: "\(id % 7)")) }
    }
    let waiting = Query<Owner>().filter { $0.name != "done" }.sorted { [$0.name.ascending] }
    let expected = try store.fetch(waiting).map(\.id)
    let start = storage.rowsFoundByCommits.load()
    try store.commit { draft in
      var taken: [Int] = []
      while let owner = try draft.first(waiting) {
        taken.append(owner.id)
        if isDeleted {
          try draft.delete(owner)
        } else {
          try draft.update(Owner.self, owner.id) { $0.name = "done" }
        }
      }
      #expect(taken == expected)
    }
    // If each request reads all that has been written, it is half the square.
    #expect(storage.rowsFoundByCommits.load() - start < 5 * count)
    let rest = try store.count(waiting)
    #expect(rest == 0)
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: whatever a body writes, the first objects are the beginning of all`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Owner.self)
    try store.commit { draft in
      for id in 1...100 { try draft.insert(Owner(id: id, name: "\(id % 9)")) }
    }
    let query = Query<Owner>().filter { $0.name != "8" }.sorted { [$0.name.ascending] }
    try store.commit { draft in
      var random = SeededGenerator(number: 1)
      for step in 0..<200 {
        let all = try draft.fetch(query).map(\.id)
        let first = try draft.first(query)?.id
        expectEqual(first, all.first, "step \(step)")
        let some = try draft.fetch(query.limit(3, offset: step % 3)).map(\.id)
        expectEqual(some, Array(all.dropFirst(step % 3).prefix(3)), "step \(step)")
        if step % 20 == 0 {
          let last = try draft.fetch(query.last(2)).map(\.id)
          expectEqual(last, Array(all.suffix(2)), "step \(step)")
        }
        guard let id = first else { break }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try draft.insert(Owner(id: 1000 + step, name: "\(step % 8)"))
        case 1: try draft.update(Owner.self, id) { $0.name = "\(step % 9)" }
        case 2:
          do {
            try store.commit { inner in
              try inner.delete(Owner.self, id)
              throw Refusal()
            }
          } catch is Refusal {}
        default: try draft.delete(Owner.self, id)
        }
      }
    }
  }

  @Test func `S5: a body that changes what it finds tests each written object a few times`()
    throws
  {
    let count = 1000
    let store = try TestStorage.memory.makeStore(Job.self)
    try store.commit { draft in
      for id in 0..<count { try draft.insert(Job(id: id, state: Job.State(0))) }
    }
    let waiting = Query<Job>().filter { $0.state == Job.State(0) }.sorted { [$0.id.ascending] }
    let before = Job.readings.value
    try store.commit { draft in
      while let job = try draft.first(waiting) {
        try draft.update(Job.self, job.id) { $0.state = Job.State(1) }
      }
    }
    #expect(try store.count(waiting) == 0)
    // If each request tests all that has been written, it is half the square.
    #expect(Job.readings.value - before < 50 * count)
  }

  @Test(arguments: TestStorage.withServer, seeds(4))
  func `S5: whatever a body writes, its queries and counts are those of plain lists`(
    _ storage: TestStorage, _ seed: Int
  ) throws {
    let store = try storage.makeStore(Owner.self)
    try store.commit { draft in
      for id in 1...60 { try draft.insert(Owner(id: id, name: "\(id % 5)")) }
    }
    var random = SeededGenerator(seed: seed)
    try store.commit { draft in
      func write() throws {
        let id = Int.random(in: 1...80, using: &random)
        let name = "\(Int.random(in: 0..<5, using: &random))"
        switch Int.random(in: 0..<3, using: &random) {
        case 0: if try draft.find(Owner.self, id) != nil { try draft.delete(Owner.self, id) }
        default: try draft.upsert(Owner(id: id, name: name))
        }
      }
      for step in 0..<150 {
        if step % 10 == 9 {
          do {
            try store.commit { _ in
              for _ in 0..<5 { try write() }
              throw Refusal()
            }
          } catch is Refusal {}
        } else {
          try write()
        }
        let all = try draft.fetch(Query<Owner>())
        // The same filter comes several times in a row, or another one.
        let wanted = "\(step / 7 % 3)"
        let query = Query<Owner>().filter { $0.name != wanted }.sorted { [$0.id.ascending] }
        let expected = all.filter { $0.name != wanted }.map(\.id).sorted()
        let (found, number) = (try draft.fetch(query).map(\.id), try draft.count(query))
        expectEqual(found, expected, "step \(step)")
        expectEqual(number, expected.count, "step \(step)")
      }
    }
  }

  @Test(arguments: TestStorage.withServer, [false, true])
  func `S5: after many writes between two requests a body finds what plain lists have`(
    _ storage: TestStorage, _ isDeleting: Bool
  ) throws {
    let store = try storage.makeStore(Owner.self)
    var plain = Dictionary(uniqueKeysWithValues: (0..<150).map { ($0, "\($0 % 5)") })
    try store.commit { draft in
      for (id, name) in plain { try draft.insert(Owner(id: id, name: name)) }
    }
    let query = Query<Owner>().filter { $0.name != "1" }.sorted { [$0.id.ascending] }
    try store.commit { draft in
      func check(_ step: String) throws {
        let expected = plain.filter { $0.value != "1" }.keys.sorted()
        expectEqual(try draft.fetch(query).map(\.id), expected, step)
        expectEqual(try draft.count(query), expected.count, step)
        expectEqual(try draft.fetch(Query<Owner>()).map(\.id), plain.keys.sorted(), step)
      }
      for id in 0..<100 {
        if isDeleting && id < 80 {
          try draft.delete(Owner.self, id)
          plain[id] = nil
        } else {
          try draft.update(Owner.self, id) { $0.name = "1" }
          plain[id] = "1"
        }
      }
      try check("first")
      // The same objects again: with the 65th write, the draft gives up the matches it has kept.
      for id in 0..<100 {
        try draft.upsert(Owner(id: id, name: "\(id % 3)"))
        plain[id] = "\(id % 3)"
      }
      try check("again")
    }
  }

  private struct Job: Entity {
    struct State: Storable, Hashable {
      var number: Int
      init(_ number: Int) { self.number = number }
      static var storedType: StoredType { .integer }
      var storedValue: StoredValue {
        Job.readings.add()
        return .integer(Int64(number))
      }
      init(storedValue: StoredValue) throws { number = try Int(storedValue: storedValue) }
    }

    static let readings = Counter()
    let id: Int
    var state: State
    static let attributes = Attributes(.id(\Job.id), .attribute("state", \.state))
    static let schema = Schema(attributes, Job.init)
  }
}
