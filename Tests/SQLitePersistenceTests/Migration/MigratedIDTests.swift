import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Parcel: Entity {
  let id: Int
  var text = ""
  static let attributes = Attributes(.id(\Parcel.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Parcel.init)
}

private struct Packet: Entity {
  let id: Int
  var text = ""
  static let attributes = Attributes(.id(\Packet.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Packet.init)
}

/// One whose table was called otherwise before.
private struct Crate: Entity {
  let id: Int
  var text = ""
  static let attributes = Attributes(.id(\Crate.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Crate.init, rules: [.renamedFrom("Parcel")])
}

@Suite struct `S4, P4: a migration doesn't lead to an id that was given before` {
  private let path = temporaryPath("ids")

  private func open(
    _ migration: Migration? = nil, _ entities: [any Entity.Type] = [Parcel.self]
  ) throws -> Store {
    try Store(
      .sqlite(
        path: path, durability: .normal, watching: .none,
        migrations: [migration].compactMap(\.self)),
      entities: entities)
  }

  private func take<E: Entity>(_ type: E.Type, _ store: Store) throws -> E.ID where E.ID == Int {
    try store.commit { try $0.nextID(type) }
  }

  @Test func `S4, P5: an id that another program has deleted isn't given again`() throws {
    let store = try open()
    try store.commit { draft in for id in 1...5 { try draft.insert(Parcel(id: id)) } }
    try RawDatabase(path).rows("DELETE FROM Parcel WHERE id = 5")
    #expect(try take(Parcel.self, store) == 6)
  }

  @Test
  func `S4, P5: a deleted id isn't given again after another program has deleted a higher one`()
    throws
  {
    do {
      let store = try open()
      try store.commit { draft in for id in [5, 9] { try draft.insert(Parcel(id: id)) } }
      try store.commit { try $0.delete(Parcel.self, 5) }
    }
    try RawDatabase(path).rows("DELETE FROM Parcel WHERE id = 9")
    let store = try open()
    #expect(try take(Parcel.self, store) == 10)
  }

  /// Gives the ids 1 to 5 and keeps the parcels 1 to 3; 5 was given and never had an object.
  private func fill() throws {
    let store = try open()
    try store.commit { draft in
      for _ in 1...4 { try draft.insert(Parcel(id: try draft.nextID(Parcel.self))) }
      _ = try draft.nextID(Parcel.self)
      try draft.delete(Parcel.self, 4)
    }
  }

  @Test func `The ids of a renamed entity continue, those of a new one with its old name begin`()
    throws
  {
    try fill()
    let store = try open(
      Migration("rename") { try $0.renameEntity("Parcel", to: "Packet") },
      [Packet.self, Parcel.self])
    #expect(try take(Packet.self, store) == 6)
    #expect(try take(Parcel.self, store) == 1)
    #expect(try store.fetch(Query<Packet>()).map(\.id) == [1, 2, 3])
  }

  @Test func `Names in other letters, and there and back, lead nowhere else`() throws {
    try fill()
    let store = try open(
      Migration("rename") {
        try $0.renameEntity("Parcel", to: "PARCEL")
        try $0.renameEntity("parcel", to: "Packet")
        try $0.renameEntity("Packet", to: "Parcel")
      })
    #expect(try take(Parcel.self, store) == 6)
  }

  @Test func `The ids of an entity that takes a dropped one's name continue after both`() throws {
    try fill()
    do {
      let store = try open(nil, [Parcel.self, Packet.self])
      try store.commit { try $0.insert(Packet(id: 9)) }
    }
    let store = try open(
      Migration("replace") {
        try $0.dropEntity("Packet")
        try $0.renameEntity("Parcel", to: "Packet")
      }, [Packet.self])
    #expect(try take(Packet.self, store) == 10)
  }

  @Test func `A former name leads on, and what was noted goes with it`() throws {
    try fill()
    let store = try open(nil, [Crate.self, Packet.self])
    #expect(try take(Crate.self, store) == 6)
    #expect(
      try RawDatabase(path).rows(
        "SELECT name FROM signalbox_metadata WHERE name LIKE 'lastID %' ORDER BY name")
        == [["lastID crate"]])
  }

  private enum Change: String, CaseIterable {
    case deletesSome = "delete of some"
    case deletesAll = "delete of all"
    case rewrites = "rewrite with other ids"
    case rewritesTwice = "rewrite, then delete"
    case drops = "drop, and the same name again"

    var migration: Migration {
      switch self {
      case .deletesSome:
        Migration(rawValue) { try $0.delete(from: "Parcel") { $0["id"] == .integer(20) } }
      case .deletesAll: Migration(rawValue) { try $0.delete(from: "Parcel") { _ in true } }
      case .rewrites:
        Migration(rawValue) { context in
          var last: Int64 = 0
          try context.rewrite("Parcel") { old in
            last += 1
            var new = old
            new["id"] = .integer(last)
            return new
          }
        }
      case .rewritesTwice:
        Migration(rawValue) { context in
          try context.rewrite("Parcel") { $0 }
          try context.delete(from: "Parcel") { $0["id"] == .integer(20) }
        }
      case .drops: Migration(rawValue) { try $0.dropEntity("Parcel") }
      }
    }
  }

  @Test(arguments: Change.allCases)
  private func `The ids of objects that a migration deletes aren't given again`(
    _ change: Change
  ) throws {
    try fill()
    do {
      // An id of the app's own, which nothing has noted as long as the object is there.
      let store = try open()
      try store.commit { try $0.insert(Parcel(id: 20)) }
    }
    let store = try open(change.migration)
    #expect(try store.fetch(Query<Parcel>()).allSatisfy { $0.id < 20 })
    #expect(try take(Parcel.self, store) == 21, "\(change.rawValue)")
  }

  @Test func `S4, P4: a migration that inserts a row without an id is refused`() throws {
    try fill()
    let rows: [Migration.Row] = [["text": .text("x")], ["text": .text("x"), "ID": .null]]
    for row in rows {
      try refusal(
        path, [Parcel.self],
        migrations: [Migration("insert") { try $0.insert(row, into: "parcel") }],
        naming: ["a migration gives parcel a row without a value of id; give it one"])
    }
    let store = try open(
      Migration("insert") { context in
        try context.insert(["text": .text("x"), "ID": .integer(7)], into: "Parcel")
        try context.insert(["text": .text("x"), "ID": .integer(8)], into: "Parcel")
        try context.insert(["id": .integer(9), "text": .text("x")], into: "Parcel")
      })
    #expect(try store.fetch(Query<Parcel>()).map(\.id) == [1, 2, 3, 7, 8, 9])
    #expect(try take(Parcel.self, store) == 10)
  }

  @Test func `What was given and never had an object isn't given after a drop either`() throws {
    try fill()
    let store = try open(Migration("drop") { try $0.dropEntity("Parcel") })
    #expect(try take(Parcel.self, store) == 6)
  }
}
