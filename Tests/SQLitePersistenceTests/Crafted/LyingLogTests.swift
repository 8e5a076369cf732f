@_spi(Storage) import EntityStore
import FetchedObjects
import Foundation
import ListDiffing
@_spi(Storage) @testable import SQLMapping
import TestSupport
import Testing

@testable import SQLitePersistence

/// A row of the log that says of letters what never was.
struct ForgedRow {
  private var objects: [UInt8] = []

  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    [ChangeLogWriter.text, UInt8(bytes.count)] + bytes
  }

  /// A value as a store writes it.
  static func value(_ value: StoredValue) -> [UInt8] {
    switch value {
    case .integer(let number): [ChangeLogWriter.integer, UInt8(number << 1)]
    case .real(let number):
      [ChangeLogWriter.real]
        + (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
    case .text(let string): text(Array(string.utf8))
    case .bytes(let bytes): [ChangeLogWriter.bytes, UInt8(bytes.count)] + bytes
    default: [ChangeLogWriter.null]
    }
  }

  static let badText = text([0x41, 0xFF, 0xFE])

  mutating func inserted(_ id: [UInt8]) { objects += [ChangeLogWriter.inserted] + id }
  /// The columns are in the order of their names: id, name, note.
  mutating func deleted(_ values: [UInt8]...) {
    objects += [ChangeLogWriter.deleted] + values.joined()
  }
  mutating func updated(_ id: [UInt8], mask: UInt8, _ values: [UInt8]...) {
    objects += [ChangeLogWriter.updated] + id + [mask] + values.joined()
  }

  /// The row in hexadecimal digits.
  func hexadecimal(of entity: String) -> String {
    bytes(of: entity).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  func bytes(of entity: String) -> [UInt8] {
    let layout = ChangeLogLayout(entity == "Letter" ? Letter.schema.entity : Stamp.schema.entity)
    var row: [UInt8] = [ChangeLogWriter.form, UInt8(layout.name.count)] + layout.name
    row += (0..<8).map { UInt8(truncatingIfNeeded: layout.signature >> (8 * $0)) }
    row += (0..<4).map { UInt8(truncatingIfNeeded: objects.count >> (8 * $0)) }
    return row + objects
  }
}

@Suite struct `P5, P6: a forged change log never makes models show false rows` {
  private static let one = ForgedRow.value(.integer(1))
  private static let nothing = ForgedRow.value(.null)
  private static func text(_ text: String) -> [UInt8] { ForgedRow.value(.text(text)) }

  private static let lies:
    [(name: String, entity: String, lie: @Sendable (inout ForgedRow) -> Void)] = [
      ("an insertion of what was there", "Letter", { $0.inserted(one) }),
      ("an insertion of nothing", "Letter", { $0.inserted(ForgedRow.value(.integer(50))) }),
      (
        "an insertion twice", "Letter",
        {
          $0.inserted(one); $0.inserted(one)
        }
      ),
      ("a deletion of what is there", "Letter", { $0.deleted(one, text("Zed"), nothing) }),
      (
        "a deletion of what never was", "Letter",
        { $0.deleted(ForgedRow.value(.integer(60)), text("Zed"), nothing) }
      ),
      ("another old value", "Letter", { $0.updated(one, mask: 2, text("Zed")) }),
      (
        "an update of what never was", "Letter",
        { $0.updated(ForgedRow.value(.integer(60)), mask: 2, text("Zed")) }
      ),
      (
        "an update of all of what never was", "Letter",
        {
          $0.updated(
            ForgedRow.value(.integer(60)), mask: 7, ForgedRow.value(.integer(60)), text("Zed"),
            nothing)
        }
      ),
      (
        "an update of another id", "Letter",
        { $0.updated(one, mask: 1, ForgedRow.value(.integer(2))) }
      ),
      ("an update of the id to itself", "Letter", { $0.updated(one, mask: 1, one) }),
      ("bits of columns that aren't there", "Letter", { $0.updated(one, mask: 0xF8) }),
      (
        "a number with a fraction for a whole one", "Letter",
        { $0.deleted(ForgedRow.value(.real(1)), text("a"), nothing) }
      ),
      ("-0.0 for a whole number", "Letter", { $0.inserted(ForgedRow.value(.real(-0.0))) }),
      ("-0.0", "Stamp", { $0.updated(text("a"), mask: 8, ForgedRow.value(.real(-0.0))) }),
      ("no number", "Stamp", { $0.updated(text("a"), mask: 8, ForgedRow.value(.real(.nan))) }),
      ("text for a number", "Stamp", { $0.updated(text("a"), mask: 8, text("0.5")) }),
      ("text that isn't UTF-8", "Letter", { $0.updated(one, mask: 2, ForgedRow.badText) }),
      ("an id that isn't UTF-8", "Stamp", { $0.inserted(ForgedRow.badText) }),
      ("bytes for text", "Letter", { $0.updated(one, mask: 2, ForgedRow.value(.bytes([65]))) }),
      ("bytes for an id", "Stamp", { $0.inserted(ForgedRow.value(.bytes([97]))) }),
      ("nothing for what is required", "Letter", { $0.updated(one, mask: 2, nothing) }),
      ("nothing for an id", "Stamp", { $0.inserted(nothing) }),
      (
        "a reference to what never was", "Stamp",
        { $0.updated(text("a"), mask: 2, ForgedRow.value(.integer(60))) }
      ),
    ]

  @Test func `P5: models show what the file has, whatever a row of the log says`() async throws {
    tried(Self.lies.count, "rows of a log that lie")
    await #expect(processExitsWith: .success) {
      alarm(1200)
      for (index, (name, entity, lie)) in Self.lies.enumerated() {
        let path = temporaryPath()
        try makeLetters(path)
        FileHandle.standardError.write(Data("\(name)\n".utf8))
        // Every other one beside a change that there was.
        try Self.check(path, entity, lie, index % 2 == 0, name)
      }
    }
  }

  @Test func `A row that couldn't have been written says nothing`() {
    let impossible = [
      "a number with a fraction for a whole one", "-0.0 for a whole number", "-0.0", "no number",
      "text for a number", "text that isn't UTF-8", "an id that isn't UTF-8", "bytes for text",
      "bytes for an id", "nothing for what is required", "nothing for an id",
      "an update of another id", "an update of the id to itself",
      "an update of all of what never was", "bits of columns that aren't there",
    ]
    for (name, entity, lie) in Self.lies {
      var row = ForgedRow()
      lie(&row)
      var objects = ChangeLogObjects([
        ChangeLogLayout(Letter.schema.entity), ChangeLogLayout(Stamp.schema.entity),
      ])
      #expect(objects.add(row: row.bytes(of: entity)) != impossible.contains(name), "\(name)")
    }
  }

  private static func check(
    _ path: String, _ entity: String, _ lie: (inout ForgedRow) -> Void, _ isBeside: Bool,
    _ name: String
  ) throws {
    let store = try openLetters(path)
    let letters = try FetchedObjectsModel(Query<Letter>().sorted { [$0.name.ascending] }, in: store)
    let window = try FetchedObjectsModel(
      Query<Letter>().sorted { [$0.name.ascending] }.limit(2, offset: 1), in: store)
    let sections = try FetchedObjectsModel(
      Query<Letter>().sorted { [$0.name.ascending] }.sectioned { $0.name }, in: store)
    let stamps = try FetchedObjectsModel(Query<Stamp>().sorted { [$0.value.ascending] }, in: store)
    let byLetter = try FetchedObjectsModel(
      Query<Stamp>().sorted { [$0.letter.name.ascending] }, in: store)
    let indexed = try IndexedObjectsModel(Query<Letter>().sorted { [$0.name.ascending] }, in: store)
    var row = ForgedRow()
    lie(&row)
    let file = try RawDatabase(path)
    if isBeside { try file.rows("UPDATE Letter SET note = 'new' WHERE id = 2") }
    try file.rows(
      "INSERT INTO signalbox_log (version, changes) SELECT MAX(version) + 1, "
        + "x'\(row.hexadecimal(of: entity))' FROM signalbox_log")
    try store.refresh()
    // What comes after the lie is followed, too.
    try store.commit { try $0.update(Letter.self, 3) { $0.name = "After" } }
    try file.rows("UPDATE Letter SET name = 'Tool' WHERE id = 1")
    try store.refresh()
    let wanted = try store.fetch(Query<Letter>().sorted { [$0.name.ascending] }).map(\.line)
    #expect(letters.fetchedObjects.map(\.line) == wanted, "\(name)")
    #expect(sections.fetchedObjects.map(\.line) == wanted, "\(name)")
    #expect(window.fetchedObjects.map(\.line) == Array(wanted[1...]), "\(name)")
    #expect(stamps.fetchedObjects.map(\.line) == ["b -1.0 -", "a 0.5 1"], "\(name)")
    #expect(byLetter.fetchedObjects.count == 2, "\(name)")
    #expect(
      try (0..<indexed.count).map { try indexed.object(at: ListPath(section: 0, row: $0))?.line }
        == wanted,
      "\(name)")
  }
}
