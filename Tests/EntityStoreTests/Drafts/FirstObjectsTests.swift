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
}
