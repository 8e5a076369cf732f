import SQLiteLibrary
import Locking
import TestSupport
import Testing

@_spi(Inspection) @_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLitePersistence

/// Tome as another version of an app has it: with an index of one text only.
private struct TitledTome: Entity {
  let id: Int
  var title: String
  var text: String?

  static let entityName = "Tome"
  static let attributes = Attributes(
    .id(\TitledTome.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(attributes, TitledTome.init, rules: [.fullText(\.title)])
}

/// Tome as a version of an app has it that doesn't search.
private struct PlainTome: Entity {
  let id: Int
  var title: String
  var text: String?

  static let entityName = "Tome"
  static let attributes = Attributes(
    .id(\PlainTome.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(attributes, PlainTome.init)
}

/// Tome under a new name.
private struct Volume: Entity {
  let id: Int
  var title: String
  var text: String?

  static let attributes = Attributes(
    .id(\Volume.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(
    attributes, Volume.init, rules: [.renamedFrom("Tome"), .fullText(\.title, \.text)])
}

@Suite(.oneThread) struct `An index of words of other versions of an app` {
  private let file = TomeFile()

  @Test func `P4: it follows the rule, the name and the rows when a file is opened`() throws {
    do {
      let store = try file.open(PlainTome.self)
      try store.commit {
        try $0.insert(PlainTome(id: 1, title: "Tea", text: "milk"))
        try $0.insert(PlainTome(id: 2, title: "Milk", text: "tea"))
      }
    }
    func tables() throws -> String? {
      try RawDatabase(file.path).value(
        "SELECT count(*) FROM sqlite_master WHERE name LIKE 'signalbox_words%'")
    }
    #expect(try tables() == "0")
    for _ in 0..<2 {
      let store = try file.open(TitledTome.self)
      #expect(try file.isIndexed(Query<TitledTome>().matching("tea"), in: store))
      #expect(try store.fetch(Query<TitledTome>().matching("tea")).map(\.id) == [1])
      #expect(try tables() == "4")
    }
    do { #expect(try file.ids("tea", in: try file.open(Tome.self)) == [1, 2]) }
    do {
      let store = try file.open(Volume.self)
      #expect(try file.isIndexed(Query<Volume>().matching("tea"), in: store))
      #expect(try store.fetch(Query<Volume>().matching("tea milk")).map(\.id) == [1, 2])
      #expect(try tables() == "4")
    }
    // A version of the app that doesn't know the rule leaves the index behind, as a tool does.
    do {
      let store = try file.open(PlainVolume.self)
      try store.commit { try $0.insert(PlainVolume(id: 3, title: "tea", text: "milk")) }
    }
    #expect(try tables() == "4")
    let store = try file.open(Volume.self)
    #expect(try file.isIndexed(Query<Volume>().matching("tea"), in: store))
    #expect(try store.fetch(Query<Volume>().matching("tea milk")).map(\.id) == [1, 2, 3])
  }

  /// Volume without an index.
  private struct PlainVolume: Entity {
    let id: Int
    var title: String
    var text: String?

    static let entityName = "Volume"
    static let attributes = Attributes(
      .id(\PlainVolume.id), .attribute("title", \.title), .attribute("text", \.text))
    static let schema = Schema(attributes, PlainVolume.init, rules: [.renamedFrom("Tome")])
  }

  @Test func `its making is reported as a step of the opening`() throws {
    do {
      let store = try file.open(PlainTome.self)
      try store.commit { draft in
        for id in 0..<10 { try draft.insert(PlainTome(id: id, title: "tea", text: nil)) }
      }
    }
    let steps = Locked<[String]>([])
    _ = try Store(
      .sqlite(
        path: file.path, durability: .normal,
        progress: { step in
          steps.withLock {
            $0.append("\(step.step) \(step.entity) \(step.completed)/\(step.total)")
          }
        }),
      entities: [Tome.self])
    #expect(steps.withLock { $0 } == ["index words Tome 0/10", "index words Tome 10/10"])
  }

  @Test func `without FTS5 it is refused with what to do`() throws {
    let connection = try StoreConnection(path: file.path, .readWriteCreate)
    sqlite3_drop_modules(connection.handle, nil)
    let error = #expect(throws: StoreError.self) {
      try SearchIndexes(connection, [Tome.schema.entity]).checkModule()
    }
    #expect("\(error, default: "")".contains("no FTS5; use one that is built"))
  }
}
