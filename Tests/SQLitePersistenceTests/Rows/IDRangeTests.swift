import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `An insert finds an existing object at once` {
  private func insertions(
    _ ids: [Int], into store: Store
  ) throws -> [Int] {
    var refused: [Int] = []
    try store.commit { draft in
      for id in ids {
        do {
          try draft.insert(Car(id: id, model: "\(id)"))
        } catch StoreError.alreadyExists {
          refused.append(id)
        }
      }
    }
    return refused
  }

  @Test func `S4: among many inserts each object that is there is refused, wherever it stands`()
    throws
  {
    let path = temporaryPath("inserts")
    let store = try openGarage(path)
    // Into an empty table, twice in one commit.
    #expect(try insertions(Array(0..<20) + [3], into: store) == [3])
    #expect(try insertions(Array(20..<40) + [0, 19, 20, 41], into: store) == [0, 19, 20])
    #expect(try insertions(Array(-9 ..< -1) + [-1, 0, 39, 41, 40], into: store) == [0, 39, 41])
    #expect(try insertions([.min, .max, -20, 100, 101, 102, .max], into: store) == [.max])
    // Of another program, between two commits.
    try RawDatabase(path).rows(
      "INSERT INTO Car (id, model) VALUES (500, 'a'), (-500, 'b'), (50, 'c')")
    #expect(
      try insertions([60, 61, 62, 63, 64, 500, -500, 50, 501], into: store) == [500, -500, 50])
    try store.commit { draft in
      for id in 200..<210 { try draft.insert(Car(id: id, model: "\(id)")) }
      try draft.delete(Car.self, 500)
      try draft.insert(Car(id: 500, model: "again"))
      #expect(try draft.find(Car.self, 501)?.model == "501")
      #expect(try draft.find(Car.self, 205)?.model == "205")
      #expect(try draft.find(Car.self, 1_000_000) == nil)
    }
    #expect(try store.find(Car.self, 500)?.model == "again")
  }

  @Test func `S4: ids of text are found between others`() throws {
    let store = try openGarage(temporaryPath("names"))
    let names = ["b", "\u{FFFD}", "a", "z", "\u{10FFFF}", "", "m", "\0"]
    try store.commit { draft in for id in names { try draft.insert(Person(id: id, name: id)) } }
    try store.commit { draft in
      for id in (0..<10).map({ "n\($0)" }) { try draft.insert(Person(id: id, name: id)) }
      for id in names {
        #expect(throws: StoreError.self) { try draft.insert(Person(id: id, name: id)) }
      }
    }
  }
}
