@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

@Suite(.oneThread) struct `The table of commits that can be undone` {
  private let path = temporaryPath("undo")

  private func open() throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none, historyLimit: 9),
      entities: [Person.self, Car.self])
  }

  private func rename(_ store: Store, _ name: String, named: String? = nil) throws {
    try store.commit(named: named) { draft in
      try draft.update(Person.self, "ann") { $0.name = name }
    }
  }

  @Test func `S9: a commit without a name writes nothing into it, and every value comes back`()
    throws
  {
    var store = try open()
    let empty = try store.fetch(Query<Person>()).count
    try store.commit(named: "fill") { draft in
      try draft.insert(Person(id: "ann", name: "Ann", height: -0.0, photo: []))
      try draft.insert(Person(id: "e\u{301}", name: "a\0b", height: 1.5, photo: [0, 255]))
      try draft.insert(Car(id: .min, model: "", owner: Ref("ann"), driver: Ref("e\u{301}")))
      try draft.insert(Car(id: .max, model: "\u{212A}", tower: Ref(7)))
    }
    let full = try dump(store)
    try rename(store, "Anna")
    try rename(store, "Ann")
    #expect(try RawDatabase(path).value("SELECT count(*) FROM signalbox_history") == "1")
    for _ in 0..<2 {
      store = try open()
      #expect(try store.undo() == "fill")
      #expect(try store.fetch(Query<Person>()).count == empty)
      store = try open()
      #expect(try store.redo() == "fill")
      #expect(try dump(store) == full)
    }
  }

  @Test func `S9: what a lower limit has taken from a store is gone from the file after an undo`()
    throws
  {
    func open(_ limit: Int) throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none, historyLimit: limit),
        entities: [Person.self, Car.self])
    }
    let store = try open(10)
    for id in 1...3 {
      try store.commit(named: "\(id)") { try $0.insert(Car(id: id, model: "\(id)")) }
    }
    store.historyLimit = 1
    #expect(try store.undo() == "3")
    let next = try open(1)
    #expect(next.undoNames == [] && next.redoNames == ["3"])
  }

  private func dump(_ store: Store) throws -> [String] {
    try store.fetch(Query<Person>().sorted { [$0.id.ascending] }).map { "\($0)" }
      + store.fetch(Query<Car>().sorted { [$0.id.ascending] }).map { "\($0)" }
  }

  @Test func `S9: an undo that is too large for the file can be redone by its store`() throws {
    var store = try open()
    try store.commit(named: "Ann") { try $0.insert(Person(id: "ann", name: "Ann")) }
    try store.commit {
      try $0.insert(Car(id: 1, model: String(repeating: "x", count: 5 << 20), driver: Ref("ann")))
    }
    store = try open()
    #expect(try store.undo() == "Ann")
    #expect(store.redoNames == ["Ann"])
    #expect(try store.redo() == "Ann")
    #expect(try store.find(Car.self, 1) != nil)
  }

  @Test func `S8, S9: a -0.0 of a custom type comes back as 0`() throws {
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none, historyLimit: 9),
        entities: [Vane.self])
    }
    do {
      let store = try open()
      try store.commit(named: "turn") { try $0.insert(Vane(id: 1, turn: Degrees(value: -0.0))) }
    }
    #expect(try open().undo() == "turn")
  }

  @Test(arguments: [false, true])
  func `S9: after the parts of an id got another order, no commit of the former one is undone`(
    _ isKept: Bool
  ) throws {
    func open(_ entity: any Entity.Type) throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none, historyLimit: 9),
        entities: [entity])
    }
    do {
      let store = try open(Halt.self)
      try store.commit { draft in
        try draft.insert(Halt(id: .init(train: 1, number: 2), name: "a"))
        try draft.insert(Halt(id: .init(train: 2, number: 1), name: "b"))
      }
      try store.commit(named: "rename") { draft in
        try draft.update(Halt.self, .init(train: 1, number: 2)) { $0.name = "b" }
      }
    }
    // The table stays as it is if another program's key refers to its columns by their order.
    let key = "CREATE TABLE stops (a, b, FOREIGN KEY (a, b) REFERENCES Halt)"
    if isKept { try RawDatabase(path).rows(key) }
    let store = try open(TurnedHalt.self)
    #expect(store.undoNames == (isKept ? ["rename"] : []))
    if isKept { #expect(throws: StoreError.self) { try store.undo() } }
    #expect(try store.find(TurnedHalt.self, .init(number: 1, train: 2))?.name == "b")
    try store.clearHistory()
    #expect(try store.undo() == nil)
  }

  @Test func `S9: a commit that can't be read is refused, and stays`() throws {
    var store = try open()
    try store.fill()
    try store.commit(named: "car") { try $0.insert(Car(id: 1, model: "a")) }
    try rename(store, "Anna", named: "person")
    try rename(store, "Annabel", named: "again")
    store = try Store(
      .sqlite(path: path, durability: .normal, watching: .none, historyLimit: 9),
      entities: [Person.self])
    #expect(store.undoNames == ["car", "person", "again"])
    #expect(try store.undo() == "again")
    #expect(try store.undo() == "person")
    #expect(throws: StoreError.unknownEntity("Car")) { try store.undo() }
    #expect(store.undoNames == ["car"])
    #expect(store.redoNames == ["again", "person"])

    _ = try RawDatabase(path).rows(
      "UPDATE signalbox_history SET old = (SELECT old FROM signalbox_history WHERE name = 'car') "
        + "WHERE name = 'person'")
    store = try open()
    let error = #expect(throws: StoreError.self) { try store.redo() }
    guard case .storage(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.kind == .corrupt)
    #expect(fault.message.contains("what it keeps of the commit \"person\" can't be read"))
    try store.clearHistory()
    #expect(store.redoNames.isEmpty && store.undoNames.isEmpty)
  }

  @Test func `P4, S9: what a migration changes can't be undone with the former values`() throws {
    func open(
      _ entities: [any Entity.Type], limit: Int = 9, _ migrations: [Migration] = []
    ) throws -> Store {
      try Store(
        .sqlite(
          path: path, durability: .normal, watching: .none, historyLimit: limit,
          migrations: migrations), entities: entities)
    }
    func keep(_ name: String) throws {
      try open([Memo.self]).commit(named: name) { draft in
        try draft.insert(Memo(id: try draft.nextID(Memo.self), text: name))
      }
    }
    try keep("a")
    #expect(try open([Memo.self, Person.self]).undoNames == ["a"])
    // A migration that has run clears it, also if its store keeps nothing.
    let migration = Migration("louder") { context in
      try context.rewrite("Memo") { row in
        var row = row
        row.set("text", to: "A")
        return row
      }
    }
    _ = try open([Memo.self], limit: 0, [migration])
    #expect(try open([Memo.self], [migration]).undoNames.isEmpty)
    try open([Memo.self], [migration]).commit(named: "b") { try $0.insert(Memo(id: 9, text: "b")) }
    // So do a new name, and a new attribute.
    #expect(try open([RenamedMemo.self], [migration]).undoNames.isEmpty)
    try open([RenamedMemo.self], [migration]).commit(named: "c") {
      try $0.insert(RenamedMemo(id: 10, text: "c"))
    }
    #expect(try open([RenamedMemo.self], [migration]).undoNames == ["c"])
    #expect(try open([LongerMemo.self], [migration]).undoNames.isEmpty)
  }

  @Test(arguments: seeds(60))
  func `P6: any bytes in it give commits that can be undone, or none`(_ seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    do {
      let store = try open()
      try store.fill()
      try rename(store, "Anna", named: "rename")
      try store.commit(named: "many") { draft in
        try draft.insert(Car(id: 5, model: "five", owner: Ref("ann")))
        try draft.delete(Car.self, .min)
      }
      try rename(store, "Annabel", named: "again")
      try store.undo()
    }
    let raw = try RawDatabase(path)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let column = ["old", "new"].randomElement(using: &random) ?? ""
      let place = Int.random(in: 1...60, using: &random)
      let byte = String(format: "%02x", Int.random(in: 0...255, using: &random))
      let row = Int.random(in: 0..<3, using: &random)
      let change =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: "substr(\(column), 1, \(place))"
        case 1: "zeroblob(\(place))"
        default: "substr(\(column), 1, \(place)) || x'\(byte)' || substr(\(column), \(place) + 2)"
        }
      _ = try raw.rows(
        "UPDATE signalbox_history SET \(column) = CAST(\(change) AS BLOB), isRedo = isRedo + "
          + "\(random.chance(0.1) ? 1 : 0) WHERE version = (SELECT version FROM signalbox_history "
          + "ORDER BY version LIMIT 1 OFFSET \(row))")
    }
    let store = try open()
    var before = try dump(store)
    while !store.undoNames.isEmpty {
      do {
        _ = try store.undo()
      } catch let error as StoreError {
        expectTrue(!"\(error)".contains("report it"), "\(error)")
        expectEqual(try dump(store), before)
        break
      }
      before = try dump(store)
    }
    expectTrue(try store.fetch(Query<Person>()).count >= 1)
  }

  @Test(.plainFile) func `P3: erasing deleted values erases it, and another program's too`() throws
  {
    let secret = "TOPSECRET-4711"
    do {
      let store = try open()
      try store.fill()
      try rename(store, secret, named: "secret")
      try rename(store, "Ann", named: "back")
    }
    // This program keeps none.
    let store = try openGarage(path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(secret.utf8)) != nil)
    let other = try open()
    #expect(other.undoNames == ["secret", "back"])
    try other.eraseDeleted()
    #expect(other.undoNames.isEmpty)
    try store.eraseDeleted()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(secret.utf8)) == nil)
    #expect(try open().undoNames.isEmpty)
  }

  @Test func `S9: commits that were erased aren't named, although the erasing fails later`() throws
  {
    do {
      let store = try open()
      try store.fill()
      try rename(store, "Anna", named: "rename")
    }
    let storage = try SQLiteStorage(
      path: path, durability: .normal, watching: .none, historyLimit: 9)
    try storage.limit(waiting: 20)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    #expect(store.undoNames == ["rename"])
    let raw = try RawDatabase(path)
    try raw.rows("BEGIN")
    try raw.rows("SELECT * FROM Car")
    #expect(throws: StoreError.self) { try store.eraseDeleted() }
    #expect(try raw.value("SELECT count(*) FROM signalbox_history") == "1")
    try raw.rows("COMMIT")
    #expect(try raw.value("SELECT count(*) FROM signalbox_history") == "0")
    #expect(store.undoNames.isEmpty)
  }

  @Test(arguments: [false, true])
  func `P4, S9: after a name got other letters, a commit is undone or isn't kept`(
    _ isEntity: Bool
  ) throws {
    func open(_ entities: [any Entity.Type], _ migrations: [Migration] = []) throws -> Store {
      try Store(
        .sqlite(
          path: path, durability: .normal, watching: .none, historyLimit: 9,
          migrations: migrations), entities: entities)
    }
    try open([Memo.self]).commit(named: "a") { try $0.insert(Memo(id: 1, text: "a")) }
    for _ in 0..<2 {
      let store = try open(isEntity ? [LoudMemo.self] : [LoudTextMemo.self])
      let names = store.undoNames
      #expect(names == (isEntity ? ["a"] : []))
      #expect(try store.undo() == names.last)
      try store.redo()
    }
    let store = try open([Memo.self], isEntity ? [] : [Migration("back on purpose") { _ in }])
    #expect(try store.undo() == (isEntity ? "a" : nil))
  }

  @Test func `P3: where there is hardly room a commit isn't kept, nor those before it`() throws {
    let storage = try SQLiteStorage(
      path: path, durability: .normal, watching: .none, historyLimit: 9)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit(named: "insert") { draft in
      for id in 0..<200 {
        try draft.insert(
          Person(id: "\(id)", name: "\(id)", photo: [UInt8](repeating: 7, count: 2000)))
      }
    }
    let pages = Int(try RawDatabase(path).value("PRAGMA page_count") ?? "") ?? 0
    try storage.limit(pages: pages + 1)
    // The old values have no room, neither in the log nor here.
    try store.commit(named: "delete") { draft in _ = try draft.deleteAll(Query<Person>()) }
    #expect(store.undoNames == ["insert", "delete"])
    #expect(try open().undoNames.isEmpty)
  }

  @Test func `S9: an index of words stays up to date when a file begins to keep commits`() throws {
    let file = TomeFile()
    do {
      let store = try file.open()
      try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    }
    let data = SQL.quoted(StoreTables.searchName(of: "Tome") + "_data")
    let blocks = "SELECT group_concat(id) FROM \(data)"
    let before = try RawDatabase(file.path).value(blocks)
    let store = try Store(
      .sqlite(path: file.path, durability: .normal, watching: .none, historyLimit: 5),
      entities: [Tome.self, Page.self])
    #expect(try file.isIndexed(Query<Tome>().matching("tea"), in: store))
    #expect(try RawDatabase(file.path).value(blocks) == before)
  }
}

private struct Memo: Entity {
  let id: Int
  var text: String
  static let attributes = Attributes(.id(\Memo.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Memo.init)
}

/// The same entity, by a name in other letters.
private struct LoudMemo: Entity {
  let id: Int
  var text: String
  static let entityName = "MEMO"
  static let attributes = Attributes(.id(\LoudMemo.id), .attribute("text", \.text))
  static let schema = Schema(attributes, LoudMemo.init)
}

/// The same entity, with the name of an attribute in other letters.
private struct LoudTextMemo: Entity {
  let id: Int
  var text: String
  static let entityName = "Memo"
  static let attributes = Attributes(.id(\LoudTextMemo.id), .attribute("TEXT", \.text))
  static let schema = Schema(attributes, LoudTextMemo.init)
}

private struct RenamedMemo: Entity {
  let id: Int
  var text: String
  static let entityName = "Remark"
  static let attributes = Attributes(.id(\RenamedMemo.id), .attribute("text", \.text))
  static let schema = Schema(attributes, RenamedMemo.init, rules: [.renamedFrom("Memo")])
}

private struct LongerMemo: Entity {
  let id: Int
  var text: String
  var length: Int
  static let entityName = "Remark"
  static let attributes = Attributes(
    .id(\LongerMemo.id), .attribute("text", \.text), .attribute("length", \.length, default: 0))
  static let schema = Schema(attributes, LongerMemo.init, rules: [.renamedFrom("Memo")])
}

/// A number whose stored form is written by hand.
private struct Degrees: Storable, Hashable {
  var value: Double
  static var storedType: StoredType { .real }
  var storedValue: StoredValue { .real(value) }
}

extension Degrees {
  init(storedValue: StoredValue) throws { value = try Double(storedValue: storedValue) }
}

private struct Vane: Entity {
  let id: Int
  var turn: Degrees
  static let attributes = Attributes(.id(\Vane.id), .attribute("turn", \.turn))
  static let schema = Schema(attributes, Vane.init)
}
