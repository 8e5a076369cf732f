@_spi(Storage) import EntityStore
import SQLMapping
import SQLiteLibrary
@_spi(Storage) @testable import SQLitePersistence
import TestSupport
import Testing

@Suite struct `The change log of a file stays short beside other writers` {
  private let path = temporaryPath()

  private func count(_ file: RawDatabase) throws -> Int {
    try #require(try file.value("SELECT count(*) FROM signalbox_log").flatMap { Int($0) })
  }

  @Test func `P5: a tool's rows go with later commits, once other stores could read them`() throws {
    let here = try openGarage(path, watching: .none)
    let there = try openGarage(path, watching: .none)
    let commits = Recorder(here.commits)
    let raw = try RawDatabase(path)
    try there.commit { draft in
      for id in 1...2_000 { try draft.insert(Car(id: id, model: "\(id)")) }
    }
    try here.refresh()
    for round in 1...6 {
      try raw.rows("UPDATE Car SET tower = \(round)")
      try there.commit { try $0.upsert(Person(id: "a", name: "\(round)")) }
      // Those of the last statement, and one of the store before and after it.
      #expect(try count(raw) <= 2_002, "after \(round)")
      try here.refresh()
    }
    #expect(commits.values.map(\.isComplete) == Array(repeating: true, count: 7))
    for number in 1...300 {
      try there.commit { try $0.upsert(Person(id: "a", name: "n\(number)")) }
    }
    #expect(try count(raw) <= 1_024 + 256)
  }

  @Test func `P5: a tool's bytes count as those of stores do`() throws {
    let path = path
    let limits = ChangeLog.Limits(rows: 1_000, bytes: 100_000, row: 1_000_000)
    let store = try Store(
      .custom {
        try SQLiteStorage(path: path, durability: .normal, watching: .none, log: limits)
      }, entities: [Person.self, Car.self])
    let raw = try RawDatabase(path)
    let photo = [UInt8](repeating: 1, count: 30_000)
    try store.commit { try $0.insert(Person(id: "a", name: "a", photo: photo)) }
    for round in 1...20 {
      // The row has two digits for each byte of the photo.
      try raw.rows("UPDATE Person SET height = \(round)")
      try store.commit { try $0.upsert(Car(id: 1, model: "\(round)")) }
      let sum = try #require(try raw.value("SELECT sum(length(changes)) FROM signalbox_log"))
      let bytes = try #require(Int(sum))
      #expect(bytes < 130_000, "after \(round)")
    }
  }

  @Test func `P5: opening deletes rows that nobody would read, and commits delete the others`()
    throws
  {
    _ = try openGarage(path)
    let raw = try RawDatabase(path)
    try raw.rows(
      """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 70000)
      INSERT INTO signalbox_log (changes) SELECT x'00' FROM number
      """)
    let store = try openGarage(path)
    let read = Int(ChangeLogObjects.mostRowsRead)
    #expect(try count(raw) == read + 1)
    try store.commit { try $0.insert(Car(id: 1, model: "1")) }
    // A part of them, so that no commit takes long.
    #expect(try count(raw) == read + 2 - 4_096)
    for id in 2...20 { try store.commit { try $0.insert(Car(id: id, model: "\(id)")) } }
    #expect(try count(raw) <= 1_024 + 256)
    #expect(try store.version == 70_020)
  }

  @Test func `P5: rows that nobody would read are those beyond a number of bytes, too`() throws {
    _ = try openGarage(path)
    let raw = try RawDatabase(path)
    for _ in 1...5 { try raw.rows("INSERT INTO signalbox_log (changes) VALUES (zeroblob(2000))") }
    func versions() throws -> [String?] {
      try raw.rows("SELECT version FROM signalbox_log ORDER BY version").map(\.[0])
    }
    let connection = try Connection(path: path, .readWrite)
    ChangeLogPruning.deleteUnreadRows(connection)
    #expect(try versions() == ["1", "2", "3", "4", "5"])
    // Of the row before the three that are read, a store reads the token.
    ChangeLogPruning.deleteUnreadRows(connection, beyond: ChangeLog.Limits(bytes: 6_000))
    #expect(try versions() == ["2", "3", "4", "5"])
  }

  /// A store that keeps few rows, on a disk that fails on command.
  private func openShort(_ disk: FaultyDisk, _ path: String) throws -> Store {
    let limits = ChangeLog.Limits(rows: 10)
    let storage = try SQLiteStorage(
      path: path, durability: .normal, watching: .none, log: limits, vfs: disk.name)
    return try Store(.custom { storage }, entities: [Person.self, Car.self])
  }

  /// Has a commit fail because its COMMIT finds no room.
  private func failCommit(_ disk: FaultyDisk, _ store: Store) {
    disk.fail(.write, .log, times: .max, with: SQLITE_FULL)
    #expect(throws: StoreError.self) { try store.commit { try $0.insert(Car(id: 9, model: "9")) } }
    #expect(disk.failures > 0)
    disk.heal()
  }

  private func commit(_ range: ClosedRange<Int>, _ store: Store) throws {
    for number in range { try store.commit { try $0.upsert(Person(id: "a", name: "\(number)")) } }
  }

  @Test func `P5: after a commit that has failed, other stores' rows stay until they were read`()
    throws
  {
    let disk = FaultyDisk()
    let path = try temporaryFolder("log") + "/garage.sqlite"
    let store = try openShort(disk, path)
    try store.commit { try $0.insert(Car(id: 1, model: "1")) }
    let late = try openGarage(path)
    let commits = Recorder(late.commits)
    failCommit(disk, store)
    try commit(1...300, try openGarage(path))
    try store.commit { try $0.insert(Car(id: 2, model: "2")) }
    try late.refresh()
    #expect(commits.values.map(\.isComplete) == [true])
  }

  @Test func `P5: what a commit that has failed would have deleted, the next one deletes`() throws {
    let disk = FaultyDisk()
    let path = try temporaryFolder("log") + "/garage.sqlite"
    try commit(1...300, try openGarage(path))
    let store = try openShort(disk, path)
    failCommit(disk, store)
    try store.commit { try $0.insert(Car(id: 1, model: "1")) }
    #expect(try count(try RawDatabase(path)) == 10)
  }

  @Test func `P5: changes are read at once only up to a number of bytes`() throws {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    func count(since version: Int64, atMost limit: Int64) throws -> Int? {
      try storage.read { reader in
        try (reader as? SQLiteReader)?
          .changes(since: version, of: [Person.schema.entity], atMost: limit)?.count
      }
    }
    let photo = [UInt8](repeating: 1, count: 1_000)
    try store.commit { try $0.insert(Person(id: "a", name: "a", photo: photo)) }
    let raw = try RawDatabase(path)
    for height in 1...3 { try raw.rows("UPDATE Person SET height = \(height)") }
    // Each row has two digits for each byte of the photo.
    #expect(try count(since: 1, atMost: 10_000) == 1)
    #expect(try count(since: 1, atMost: 5_000) == nil)
    #expect(try count(since: 3, atMost: 5_000) == 1)
  }

  @Test(.oneThread) func `P5: more than 64 MB of a tool's rows make the results read again`()
    throws
  {
    let here = try openGarage(path, watching: .none)
    let commits = Recorder(here.commits)
    let raw = try RawDatabase(path)
    try raw.rows("INSERT INTO Person (id, name, photo) VALUES ('a', 'a', zeroblob(2000000))")
    try here.refresh()
    // Each row has two digits for each byte of the photo, so they have 72 MB.
    for height in 1...18 { try raw.rows("UPDATE Person SET height = \(height)") }
    try here.refresh()
    #expect(commits.values.map(\.isComplete) == [true, false])
  }

  @Test func `P5: what a tool changes of an object with too long values isn't logged`() throws {
    let here = try openGarage(path, watching: .none)
    let commits = Recorder(here.commits)
    let raw = try RawDatabase(path)
    // The texts and the blob have 4 MB, a byte more, and a byte more behind a NUL.
    try raw.rows(
      """
      INSERT INTO Person (id, name, photo) VALUES
        ('a', 'a', zeroblob(4194302)), ('b', 'b', zeroblob(4194303)),
        ('c', char(0) || hex(zeroblob(2097152)), NULL)
      """)
    try here.refresh()
    #expect(
      commits.values.map(\.line) == [#"1...3 foreign +Person("a") +Person("b") +Person("c")"#])
    for (id, isLogged) in [("a", true), ("b", false), ("c", false)] {
      try raw.rows("UPDATE Person SET height = 1 WHERE id = '\(id)'")
      try here.refresh()
      #expect(commits.values.last?.isComplete == isLogged, "\(id)")
    }
    try raw.rows("REPLACE INTO Person (id, name) VALUES ('b', 'b')")
    try here.refresh()
    #expect(commits.values.last?.isComplete == false)
    let longest = "SELECT max(length(changes)) < 100 FROM signalbox_log WHERE version > 4"
    #expect(try raw.value(longest) == "1")
    try raw.rows("UPDATE Person SET height = 2 WHERE id = 'b'")
    try here.refresh()
    #expect(commits.values.last?.line == #"8 foreign ~Person("b").height"#)
  }
}
