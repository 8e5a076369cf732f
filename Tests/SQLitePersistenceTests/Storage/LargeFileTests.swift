#if os(Linux)
import EntityStore
import FetchedObjects
import Foundation
import ListDiffing
import SQLitePersistence
import TestSupport
import Testing

/// A row of a file that is larger than what may be in memory.
struct Measurement: Entity, Equatable {
  let id: Int
  var name: String
  var number: Int
  static let attributes = Attributes(
    .id(\Measurement.id), .attribute("name", \.name), .attribute("number", \.number))
  static let schema = Schema(attributes, Measurement.init, rules: [.index(\.name)])
}

@Suite(.measuresMemory) struct `A file of a million rows is read without a copy of it in memory` {
  private static let count = 1_000_000

  /// What is shown, and what it takes.
  private enum Shown: String, CaseIterable, Codable {
    case page, window, indexOnly
  }

  @Test func `one row is updated and a page of 50 shown within 60 MB`() async throws {
    let path = temporaryPath("large")
    try Self.make(path)
    for shown in Shown.allCases {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) { [path = path as String, shown = shown as Shown] in
        let before = try Self.peak()
        let store = try Store(
          .sqlite(path: path, durability: .normal), entities: [Measurement.self])
        try Self.show(shown, store)
        let after = try Self.peak()
        print("\(shown.rawValue): \(before / 1000) MB before, \(after / 1000) MB at the peak")
        // The process of the tests has 32 MB to begin with, a program 10 to 20.
        #expect(after - before < 40_000)
      }
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self), terminator: "")
    }
  }

  private static func show(_ shown: Shown, _ store: Store) throws {
    let last = count - 25
    let query = Query<Measurement>().sorted { [$0.name.ascending] }
    func update(_ number: Int) throws {
      try store.commit { try $0.update(Measurement.self, last) { $0.number = number } }
    }
    switch shown {
    case .page:
      try update(-1)
      let page = try store.fetch(query.limit(50, offset: count - 50))
      #expect(page.count == 50)
      #expect(page.first { $0.id == last }?.number == -1)
    case .window:
      let model = try FetchedObjectsModel(query.limit(50, offset: count - 50), in: store)
      try update(-2)
      #expect(model.fetchedObjects.count == 50)
      #expect(model.fetchedObjects.first { $0.id == last }?.number == -2)
    case .indexOnly:
      let model = try IndexedObjectsModel(query, in: store)
      try update(-3)
      let rows = (count - 50..<count).map { ListPath(section: 0, row: $0) }
      let page = try model.objects(at: rows)
      #expect(page.count == 50)
      #expect(page.first { $0?.id == last }??.number == -3)
    }
  }

  /// Makes the file, by SQL alone, which takes two seconds.
  private static func make(_ path: String) throws {
    _ = try Store(.sqlite(path: path), entities: [Measurement.self])
    let file = try RawDatabase(path)
    let triggers = try file.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    try file.rows("BEGIN")
    // Nobody is to be told of what is written here.
    for trigger in triggers {
      try file.rows(
        "DROP TRIGGER \"\((trigger[0] ?? "").replacingOccurrences(of: "\"", with: "\"\""))\"")
    }
    try file.rows(
      """
      WITH RECURSIVE numbers (number) AS (
        SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(count - 1))
      INSERT INTO Measurement (id, name, number)
      SELECT number, printf('measurement %08d', number), number FROM numbers
      """)
    for trigger in triggers { try file.rows(trigger[1] ?? "") }
    try file.rows("COMMIT")
    #expect(try file.value("SELECT count(*) FROM Measurement") == "\(count)")
  }

  /// The most memory that the process has had, in thousands of bytes.
  private static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1024 / 1000
  }
}
#endif
