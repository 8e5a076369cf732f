@_spi(Storage) import EntityStore
import FetchedObjects
import ListDiffing
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

/// An object whose id isn't its row number.
struct LabelledTag: Entity {
  let id: String
  var label: String
  var weight = 0
  static let attributes = Attributes(
    .id(\LabelledTag.id), .attribute("label", \.label), .attribute("weight", \.weight, default: 0))
  static let schema = Schema(attributes, LabelledTag.init, rules: [.unique(\.label)])
}

/// One whose id has two parts.
struct Bunk: Entity {
  struct ID: CompositeID {
    var train: String
    var number: Int
  }
  let id: ID
  var label: String
  static let attributes = Attributes(
    .id(\Bunk.id, ID.init, .part("train", \.train), .part("number", \.number)),
    .attribute("label", \.label))
  static let schema = Schema(attributes, Bunk.init, rules: [.unique(\.label)])
}

/// One whose id is its row number.
struct NumberedTag: Entity {
  let id: Int
  var label: String
  static let attributes = Attributes(.id(\NumberedTag.id), .attribute("label", \.label))
  static let schema = Schema(attributes, NumberedTag.init, rules: [.unique(\.label)])
}

@Suite struct `Row numbers that change without a net change are read again` {
  private let path = temporaryPath()
  private let here: Store
  private let there: Store
  private let raw: RawDatabase

  init() throws {
    let entities: [any Entity.Type] = [LabelledTag.self, Bunk.self, NumberedTag.self]
    here = try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    there = try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    raw = try RawDatabase(path)
    try here.commit { draft in
      // In an order that is neither that of the ids nor that of the labels.
      for number in [5, 1, 9, 3, 7, 2, 8, 4, 6] {
        try draft.insert(LabelledTag(id: "tag \(number)", label: "label \(10 - number)"))
        try draft.insert(
          Bunk(id: .init(train: "t", number: number), label: "label \(10 - number)"))
        try draft.insert(NumberedTag(id: number, label: "label \(10 - number)"))
      }
    }
    try there.refresh()
  }

  @Test func `F7: an object outside the result takes no place of a row that has left`() throws {
    try here.commit { try $0.insert(LabelledTag(id: "z", label: "z")) }
    let model = try IndexedObjectsModel(
      Query<LabelledTag>().filter { $0.weight == 0 }.sorted { [$0.label.ascending] }, in: here,
      cacheCapacity: 0)
    let place = ListPath(section: 0, row: 9)
    #expect(try model.id(at: place) == "z")
    model.pause()
    try there.commit { try $0.delete(LabelledTag.self, "z") }
    try here.refresh()
    // It gets the number of the row that has left, and meets the filter only later.
    try here.commit { try $0.insert(LabelledTag(id: "new", label: "a", weight: 1)) }
    try there.commit { try $0.update(LabelledTag.self, "new") { $0.weight = 0 } }
    #expect(try model.id(at: place) == nil)
    try here.refresh()
    #expect(try model.id(at: place) == nil)
    #expect(try model.path(for: "new") == nil)
    try model.setQuery(Query<LabelledTag>().filter { $0.weight > 100 })
    #expect(try model.id(at: place) == nil)
    #expect(try model.path(for: "new") == nil)
  }

  @Test func `F7: an object whose id is its number keeps its place, though it left meanwhile`()
    throws
  {
    let model = try IndexedObjectsModel(
      Query<NumberedTag>().filter { $0.label < "m" }.sorted { [$0.id.ascending] }, in: here,
      cacheCapacity: 0)
    let place = ListPath(section: 0, row: 8)
    model.pause()
    for label in ["z", "label 1"] {
      try there.commit { try $0.update(NumberedTag.self, 9) { $0.label = label } }
      try here.refresh()
    }
    #expect(try model.id(at: place) == 9)
    #expect(try model.path(for: 9) == place)
  }

  /// The ways in which all is as it was in the end.
  enum Trouble: String, CaseIterable {
    case replace = "REPLACE of equal rows"
    case insertAgain = "DELETE and INSERT of the same rows"
    case swaps = "swaps there and back by a store"
    case toolSwaps = "swaps there and back by a tool"
    case vacuum = "VACUUM"
  }

  private func make(_ trouble: Trouble) throws {
    switch trouble {
    case .replace:
      for table in ["LabelledTag", "Bunk", "NumberedTag"] {
        try raw.rows("REPLACE INTO \(table) SELECT * FROM \(table) ORDER BY label DESC")
      }
    case .insertAgain:
      try raw.rows("BEGIN")
      for table in ["LabelledTag", "Bunk", "NumberedTag"] {
        try raw.rows("CREATE TEMP TABLE kept AS SELECT * FROM \(table) ORDER BY label")
        try raw.rows("DELETE FROM \(table)")
        try raw.rows("INSERT INTO \(table) SELECT * FROM kept")
        try raw.rows("DROP TABLE kept")
      }
      try raw.rows("COMMIT")
    case .swaps:
      for _ in 0..<2 {
        try there.commit { draft in
          try swapLabels(LabelledTag.self, "tag 2", "tag 9", \.label, in: &draft)
          try swapLabels(
            Bunk.self, .init(train: "t", number: 2), .init(train: "t", number: 9), \.label,
            in: &draft)
          try swapLabels(NumberedTag.self, 2, 9, \.label, in: &draft)
        }
      }
    case .toolSwaps:
      for _ in 0..<2 {
        for table in ["LabelledTag", "Bunk", "NumberedTag"] {
          try raw.rows("UPDATE \(table) SET label = 'none' WHERE label = 'label 1'")
          try raw.rows("REPLACE INTO \(table) SELECT * FROM \(table) WHERE label > 'label 4'")
          try raw.rows("UPDATE \(table) SET label = 'label 1' WHERE label = 'none'")
        }
      }
    case .vacuum:
      try raw.rows("VACUUM")
    }
  }

  private func swapLabels<E: Entity>(
    _ type: E.Type, _ one: E.ID, _ other: E.ID, _ label: WritableKeyPath<E, String>,
    in draft: inout Draft
  ) throws {
    let first = try #require(try draft.find(type, one))
    let second = try #require(try draft.find(type, other))
    try draft.update(type, one) { $0[keyPath: label] = second[keyPath: label] }
    try draft.update(type, other) { $0[keyPath: label] = first[keyPath: label] }
  }

  private func shown<E: Entity>(_ model: IndexedObjectsModel<E>) throws -> [E.ID?] {
    try (0..<model.count).map { try model.id(at: ListPath(section: 0, row: $0)) }
  }

  private func check<E: Entity>(
    _ query: Query<E>, _ trouble: Trouble, isPaused: Bool, isRefreshed: Bool
  ) throws {
    let model = try IndexedObjectsModel(query, in: here, cacheCapacity: 4, batchSize: 2)
    let window = try FetchedObjectsModel(query.limit(4, offset: 2), in: here)
    let events = Recorder(model.didChange)
    let windowEvents = Recorder(window.didChange)
    let commits = Recorder(here.commits)
    let all = try here.fetch(query).map(\.id)
    #expect(try shown(model) == all)
    if isPaused { model.pause() }
    try make(trouble)
    if isRefreshed { try here.refresh() }
    #expect(try shown(model) == all, "\(trouble.rawValue)")
    #expect(window.fetchedObjects.map(\.id) == Array(all[2..<6]))
    if isPaused { model.resume() }
    #expect(try shown(model) == all, "\(trouble.rawValue), at last")
    // Rows that are equal give no change.
    #expect(events.values.isEmpty && windowEvents.values.isEmpty && commits.values.isEmpty)
    for (row, id) in all.enumerated() {
      #expect(try model.path(for: id) == ListPath(section: 0, row: row))
    }
  }

  @Test(.oneThread, arguments: Trouble.allCases, [(false, true), (true, true), (false, false)])
  func `P5, F7: every row is still its own object, and nothing is published`(
    _ trouble: Trouble, _ looks: (isPaused: Bool, isRefreshed: Bool)
  ) throws {
    let (isPaused, isRefreshed) = looks
    try check(
      Query<LabelledTag>().sorted { [$0.id.ascending] }, trouble, isPaused: isPaused,
      isRefreshed: isRefreshed)
    try check(
      Query<LabelledTag>().filter { $0.weight == 0 }.sorted { [$0.label.descending] }, trouble,
      isPaused: isPaused, isRefreshed: isRefreshed)
    try check(
      Query<Bunk>().sorted { [$0.label.ascending] }, trouble, isPaused: isPaused,
      isRefreshed: isRefreshed)
    try check(
      Query<NumberedTag>().sorted { [$0.label.ascending] }, trouble, isPaused: isPaused,
      isRefreshed: isRefreshed)
  }

  @Test func `P5, F7: commits lead on from new row numbers, one event each`() throws {
    let query = Query<LabelledTag>().sorted { [$0.label.ascending] }
    let model = try IndexedObjectsModel(query, in: here)
    let events = Recorder(model.didChange)
    try make(.replace)
    try here.commit { try $0.update(LabelledTag.self, "tag 3") { $0.label = "zz" } }
    #expect(events.values.map(\.changes.count) == [1])
    #expect(try shown(model) == here.fetch(query).map(\.id))
    model.pause()
    try make(.insertAgain)
    try here.commit { try $0.update(LabelledTag.self, "tag 4") { $0.label = "a" } }
    #expect(try model.id(at: ListPath(section: 0, row: 0)) == "tag 9")
    try make(.swaps)
    try here.commit { try $0.delete(LabelledTag.self, "tag 5") }
    model.resume()
    #expect(events.values.count == 2)
    let changes = try #require(events.values.last?.changes)
    #expect(changes.deletes.count == 1 && changes.moves.count == 1 && changes.inserts.isEmpty)
    #expect(try shown(model) == here.fetch(query).map(\.id))
  }

  /// A commit that moves no row, before or after row numbers that move.
  @Test(
    .oneThread,
    arguments: [
      [0], [1], [0, 1], [1, 0], [0, 1, 0], [1, 0, 1], [1, 2, 0, 1], [2, 0, 1, 2],
    ])
  func `P5, F6: what is merged of new row numbers and of changes moves no row that stays`(
    _ steps: [Int]
  ) throws {
    let query = Query<LabelledTag>().sorted { [$0.id.ascending] }
    let model = try IndexedObjectsModel(query, in: here)
    let events = Recorder(model.didChange)
    model.pause()
    var isChanged = false
    for (round, step) in steps.enumerated() {
      switch step {
      case 0: try make(.insertAgain)
      case 1:
        try there.commit { try $0.update(LabelledTag.self, "tag 4") { $0.weight = round + 1 } }
        isChanged = true
      default:
        try here.commit { try $0.update(LabelledTag.self, "tag 6") { $0.weight = round + 1 } }
        isChanged = true
      }
      try here.refresh()
    }
    model.resume()
    #expect(events.values.count == (isChanged ? 1 : 0))
    let changes = events.values.last?.changes
    #expect(changes?.moves.isEmpty ?? true)
    #expect(changes?.inserts.isEmpty ?? true)
    #expect(changes?.deletes.isEmpty ?? true)
    #expect(try shown(model) == here.fetch(query).map(\.id))
  }

  @Test(arguments: [false, true])
  func `P5, F7: a table that is made again with its triggers is read again`(_ byCommit: Bool) throws
  {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    try storage.limit(waiting: 20)
    let here = try Store(
      .custom { storage }, entities: [LabelledTag.self, Bunk.self, NumberedTag.self])
    let query = Query<LabelledTag>().sorted { [$0.id.ascending] }
    let model = try IndexedObjectsModel(query, in: here)
    let whole = try FetchedObjectsModel(query, in: here)
    let events = Recorder(whole.didChange)
    let text = try #require(
      try raw.value("SELECT sql FROM sqlite_master WHERE name = 'LabelledTag'"))
    let triggers = try raw.rows(
      "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'LabelledTag'")
    // As SQLite's documentation says a table is to be changed.
    try raw.rows("BEGIN")
    try raw.rows(text.replacing("\"LabelledTag\"", with: "\"made\"", maxReplacements: 1))
    try raw.rows("INSERT INTO made SELECT * FROM LabelledTag ORDER BY label")
    try raw.rows("UPDATE made SET weight = 5 WHERE id = 'tag 4'")
    try raw.rows("DROP TABLE LabelledTag")
    try raw.rows("ALTER TABLE made RENAME TO LabelledTag")
    for trigger in triggers { try raw.rows(try #require(trigger[0])) }
    try raw.rows("COMMIT")
    // A first try that meets a lock loses nothing.
    try raw.rows("BEGIN IMMEDIATE")
    #expect(throws: StoreError.self) { try here.refresh() }
    try raw.rows("ROLLBACK")
    if byCommit {
      try here.commit { try $0.update(LabelledTag.self, "tag 6") { $0.weight = 6 } }
    } else {
      try here.refresh()
    }
    #expect(try shown(model) == here.fetch(query).map(\.id))
    #expect(try whole.fetchedObjects.map { "\($0)" } == here.fetch(query).map { "\($0)" })
    #expect(whole.fetchedObjects[3].weight == 5)
    #expect(events.values.map(\.changes.count) == (byCommit ? [1, 1] : [1]))
    // What comes then is told as ever.
    try there.commit { try $0.update(LabelledTag.self, "tag 5") { $0.weight = 7 } }
    try here.refresh()
    #expect(try whole.fetchedObjects.map { "\($0)" } == here.fetch(query).map { "\($0)" })
    #expect(try shown(model) == here.fetch(query).map(\.id))
  }

  @Test
  func `P4, P5: a whole number that is an id is the row's number, or its table is made again`()
    throws
  {
    let path = temporaryPath()
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none), entities: [NumberedTag.self])
    }
    do {
      try open().commit { draft in
        for id in 1...4 { try draft.insert(NumberedTag(id: id, label: "label \(id)")) }
      }
    }
    try editSchema(
      path,
      [
        "CREATE TABLE other (id INTEGER PRIMARY KEY DESC NOT NULL, label TEXT NOT NULL, UNIQUE (label)) STRICT",
        "INSERT INTO other SELECT * FROM NumberedTag", "DROP TABLE NumberedTag",
        "ALTER TABLE other RENAME TO NumberedTag",
      ])
    let store = try open()
    let query = Query<NumberedTag>().sorted { [$0.label.ascending] }
    let model = try IndexedObjectsModel(query, in: store)
    let raw = try RawDatabase(path)
    try raw.rows("REPLACE INTO NumberedTag SELECT * FROM NumberedTag ORDER BY id DESC")
    try store.refresh()
    #expect(try shown(model) == [1, 2, 3, 4])
    #expect(try raw.value("SELECT COUNT(*) FROM NumberedTag WHERE id = rowid") == "4")
  }

  @Test func `P5, F7: a commit that changes one row and writes others again moves no other`() throws
  {
    let query = Query<LabelledTag>().sorted { [$0.id.ascending] }
    let model = try IndexedObjectsModel(query, in: here)
    model.pause()
    let shownAtFirst = try shown(model)
    // The row that is changed may take the number that another had.
    try raw.rows(
      """
      REPLACE INTO LabelledTag
      SELECT id, label, weight + (id = 'tag 4') FROM LabelledTag ORDER BY label
      """
    )
    try here.refresh()
    for (row, id) in shownAtFirst.enumerated() {
      let found = try model.id(at: ListPath(section: 0, row: row))
      #expect(found == nil || found == id)
    }
    model.resume()
    #expect(try shown(model) == here.fetch(query).map(\.id))
    for row in 0..<model.count {
      let object = try #require(try model.object(at: ListPath(section: 0, row: row)))
      #expect(object.weight == (object.id == "tag 4" ? 1 : 0))
    }
  }

  @Test(arguments: [false, true])
  func `F7: a row that left the filter elsewhere is still read and found while paused`(
    _ isWritingHere: Bool
  ) throws {
    let model = try IndexedObjectsModel(
      Query<NumberedTag>().filter { $0.label < "m" }.sorted { [$0.id.ascending] }, in: here,
      cacheCapacity: 0)
    let place = ListPath(section: 0, row: 8)
    model.pause()
    try there.commit { try $0.update(NumberedTag.self, 9) { $0.label = "z" } }
    try here.refresh()
    #expect(try model.id(at: place) == 9)
    #expect(try model.path(for: 9) == place)
    if isWritingHere {
      // Two rows leave by commits of this store, which a model can follow row by row.
      try here.commit { draft in
        try draft.update(NumberedTag.self, 9) { $0.label = "a" }
        try draft.update(NumberedTag.self, 8) { $0.label = "y" }
      }
      try here.commit { try $0.update(NumberedTag.self, 9) { $0.label = "x" } }
      #expect(try model.id(at: place) == 9)
      #expect(try model.path(for: 9) == place)
      #expect(try model.id(at: ListPath(section: 0, row: 7)) == 8)
      #expect(try model.path(for: 8) == ListPath(section: 0, row: 7))
    }
    try here.commit { try $0.delete(NumberedTag.self, 9) }
    #expect(try model.id(at: place) == nil)
    #expect(try model.path(for: 9) == nil)
    model.resume()
    #expect(try shown(model) == here.fetch(model.query).map(\.id))
  }
}
