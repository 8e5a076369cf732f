import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

/// The entities that crafted files have tables of.
struct Letter: Entity {
  let id: Int
  var name: String
  var note: String?
  static let attributes = Attributes(
    .id(\Letter.id), .attribute("name", \.name), .attribute("note", \.note))
  static let schema = Schema(attributes, Letter.init, rules: [.index(\.note)])
}

struct Stamp: Entity {
  let id: String
  var value: Double
  var picture: [UInt8]?
  var letter: Ref<Letter>?
  static let attributes = Attributes(
    .id(\Stamp.id), .attribute("value", \.value), .attribute("picture", \.picture),
    .one("letter", \.letter, onDelete: .nullify))
  static let schema = Schema(attributes, Stamp.init, rules: [.unique(\.value)])
}

func openLetters(_ path: String, migrations: [Migration] = []) throws -> Store {
  try Store(
    .sqlite(path: path, durability: .normal, watching: .none, migrations: migrations),
    entities: [Letter.self, Stamp.self])
}

let madeLetters = ["1 Ann secret", "2 Bob -", "3 Cid c"]
let madeStamps = ["a 0.5 1", "b -1.0 -"]

/// Makes a file with a few letters and stamps, which is closed again.
func makeLetters(_ path: String) throws {
  try lettersFile.get().write(to: URL(fileURLWithPath: path))
}

/// Its bytes, which a store has made once.
private let lettersFile = Result {
  let path = temporaryPath()
  defer { try? FileManager.default.removeItem(atPath: path) }
  try openLetters(path).commit { draft in
    try draft.insert(Letter(id: 1, name: "Ann", note: "secret"))
    try draft.insert(Letter(id: 2, name: "Bob", note: nil))
    try draft.insert(Letter(id: 3, name: "Cid", note: "c"))
    try draft.insert(Stamp(id: "a", value: 0.5, picture: [1, 2], letter: Ref(1)))
    try draft.insert(Stamp(id: "b", value: -1, picture: nil, letter: nil))
  }
  return try Data(contentsOf: URL(fileURLWithPath: path))
}

extension Letter {
  var line: String { "\(id) \(name) \(note ?? "-")" }
}

extension Stamp {
  var line: String { "\(id) \(value) \(letter.map { "\($0.id)" } ?? "-")" }
}

/// Runs statements on a file as another program does.
func edit(_ path: String, _ statements: String...) throws {
  let file = try RawDatabase(path)
  for statement in statements { try file.rows(statement) }
}

/// Edits what a file says of its tables, as no program should.
func editSchema(_ path: String, _ statements: [String]) throws {
  let file = try RawDatabase(path)
  file.limitSteps()
  try file.rows("PRAGMA writable_schema = ON")
  for statement in statements { try file.rows(statement) }
}

/// Changes the bytes of a file.
func editBytes(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
  var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  body(&bytes)
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// The fault that `body` throws.
@discardableResult
func fault(
  _ kind: StorageFault.Kind, naming words: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> StorageFault {
  let error = try #require(
    throws: StoreError.self, sourceLocation: sourceLocation, performing: body)
  guard case .storage(let fault) = error else {
    Issue.record("\(error) is no fault of a storage", sourceLocation: sourceLocation)
    throw error
  }
  #expect(fault.kind == kind, "\(fault)", sourceLocation: sourceLocation)
  #expect(!fault.message.contains("report it"), "\(fault)", sourceLocation: sourceLocation)
  for word in words {
    #expect(fault.message.contains(word), "\(fault)", sourceLocation: sourceLocation)
  }
  return fault
}
