import Foundation
import TestSupport
import Testing

@_spi(Storage) @testable import EntityStore

/// What a stranger may have written into a value.
private let hostile = [
  "a\nFatal: all is lost", "a\r\nb", "\u{1B}[2J\u{1B}]0;TITLE\u{7}x", "\u{9B}2J", "\u{202E}gnp.exe",
  "\u{2066}\u{2069}", "\u{2028}\u{2029}", "\u{85}\u{7F}\0\u{8}", "\\n \"quoted\" \\",
  String(repeating: "long\n", count: 2000), "e\u{301}🚃",
]

@Suite struct `Untrusted text is harmless in a log` {
  private func expectHarmless(
    _ value: some CustomStringConvertible, limit: Int = 3000,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let words = value.description
    #expect(words.isHarmless, sourceLocation: sourceLocation)
    #expect(words.utf8.count <= limit, sourceLocation: sourceLocation)
  }

  @Test func `what isn't harmless is written out, and what is stays`() {
    #expect("Ann".harmless == "Ann")
    #expect("e\u{301}🚃 \\".harmless == "e\u{301}🚃 \\")
    #expect("a\r\n\t\0".harmless == #"a\r\n\t\0"#)
    #expect("\u{1B}[2J\u{7F}\u{85}\u{202E}".harmless == #"\u{1B}[2J\u{7F}\u{85}\u{202E}"#)
    #expect("abc".harmless(atMost: 3) == "abc")
    #expect("ab\ncd".harmless(atMost: 3) == #"ab\n… (5 bytes)"#)
    #expect("".harmless(atMost: 3) == "")
    #expect(StoredValue.text("a\n\"").brief == #""a\n\"""#)
    let long = String(repeating: "x", count: 8000)
    #expect(
      StoredValue.text(long).brief == "\"\(String(repeating: "x", count: 100))…\" (8000 bytes)")
    #expect(ObjectID(entityName: "Car", id: .text(long)).brief.utf8.count < 140)
    #expect(
      ObjectID(entityName: "Seat", id: .list([.integer(3), .text("\n")])).brief == #"Seat(3, "\n")"#
    )
    #expect(ObjectID(entityName: "Boat", id: .list([.integer(3)])).brief == "Boat(3,)")
  }

  @Test(.oneThread)
  func `exactly control characters, line ends and marks of direction are not harmless`() {
    for value in (0...0x10FFFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var expected = true
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: expected = false
      default:
        if (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) {
          expected = false
        }
        // Other marks of direction, what nobody sees, and tags.
        if [0x061C, 0x200B, 0x200E, 0x200F, 0xFEFF].contains(value)
          || (0xE0000...0xE007F).contains(value)
        {
          expected = false
        }
      }
      if scalar.isHarmless != expected { Issue.record("U+\(String(value, radix: 16))") }
    }
  }

  @Test(arguments: hostile.indices) func `S6: each error says it in a short line`(index: Int) {
    let text = hostile[index]
    let value = StoredValue.text(text)
    let values: [StoredValue] = [
      value, .bytes(Array(text.utf8)), .list([value, value]),
      .list(Array(repeating: value, count: 1000)),
    ]
    let fault = StorageFault(
      .corrupt, "a.db: \(text)", path: text, operation: text, code: 1, extendedCode: 2, detail: text
    )
    for value in values {
      let id = ObjectID(entityName: "Car", id: value)
      let other = ObjectID(entityName: text, id: .integer(1))
      let errors: [StoreError] = [
        .alreadyExists(id), .alreadyExists(other), .notFound(id), .idChanged(id, to: other),
        .notUnique(
          Array(repeating: id, count: 100), attributes: Array(repeating: text, count: 100),
          values: Array(repeating: value, count: 100)),
        .missingValue(id, attribute: text), .inexactID(id, again: value),
        .checkFailed(id, check: text), .missingReference(id, attribute: text, target: other),
        .deleteDenied(id, referrer: other, attribute: text),
        .changedSince(id, attribute: text, expected: value, found: value),
        .notANumber(id, attribute: text), .unreadable(id, attribute: text, found: value),
        .unknownEntity(text), .overflow(entity: text), .notIndexable(entity: text, part: text),
      ]
      for error in errors { expectHarmless(error, limit: 12_000) }
      expectHarmless(StoredValue.Mismatch(value, type: Int.self))
    }
    for error in [StoreError.storage(fault), .outcomeUnknown(version: 1, fault: fault)] {
      expectHarmless(error, limit: 40_000)
    }
    let quiet = StorageFault(.other, "a.db", detail: text)
    expectHarmless(quiet)
    #expect(throws: StoreError.self) { try StorageFault.check(path: text + "\0") }
    do { try StorageFault.check(path: text + "\0") } catch { expectHarmless("\(error)") }
  }

  @Test(arguments: hostile.indices)
  func `S8: an object's name comes back from its description, which is one line`(
    index: Int
  ) throws {
    let text = hostile[index]
    for id in [StoredValue.text(text), .list([.text(text), .integer(1)])] {
      for name in ["Car", text] {
        let object = ObjectID(entityName: name, id: id)
        #expect(ObjectID(object.description) == object)
        #expect(object.description.isHarmless)
        expectHarmless(object.brief)
        let again = try JSONDecoder().decode(ObjectID.self, from: JSONEncoder().encode(object))
        #expect(again == object)
      }
    }
  }

  @Test(arguments: [
    "Car(\"a\nb\")", "Car(\"\u{1B}\")", #"Car("\u{41}")"#, #"Car("\u{1b}")"#, #"Car("\u{01B}")"#,
    #"Car("\u{}")"#, #"Car("\u{D800}")"#, #"Car("\u{110000}")"#, #"Car("\u{1B")"#, #"Car("\u1B")"#,
    #"Car("\a")"#, #"Car("\"#, #"Car("\u{"#, #"Car("\u{0A}")"#,
  ]) func `an object's name has one spelling`(text: String) { #expect(ObjectID(text) == nil) }

  @Test func `long texts that name no object are read once`() {
    let count = 20_000
    for piece in ["(", ")", ",", "\"", "\\", "7", "0x", "a", "Car(1, ", "\\u{", "-", "é", "nil,"] {
      let text = String(repeating: piece, count: count / piece.utf8.count)
      for text in [
        text, "Car(" + text, "Car(\"" + text, "Car(0x" + text + ")", "Car(" + text + ")",
      ] {
        if let object = ObjectID(text) { #expect(object.description == text) }
      }
    }
    let wrong = "\"" + String(repeating: "\n", count: count)
    let data = Data("[\"\(String(repeating: "x", count: count))\"]".utf8)
    #expect(ObjectID(wrong) == nil)
    do {
      _ = try JSONDecoder().decode([ObjectID].self, from: data)
      Issue.record("That names no object")
    } catch DecodingError.dataCorrupted(let context) {
      expectHarmless(context.debugDescription)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(arguments: hostile.indices) func `S6: a reference prints as the name of its object`(
    index: Int
  ) {
    let text = hostile[index]
    expectHarmless(Ref<Label>(text))
    #expect("\(Ref<Label>("Ann"))" == #"Label("Ann")"#)
    let link = Link(id: 1, label: Ref("a"), other: nil, text: "")
    #expect("\(link)" == #"Link(id: 1, label: Label("a"), other: nil, text: "")"#)
    #expect("\(Ref<Link>(1) as Ref<Link>?)" == "Optional(Link(1))")
    var dumped = ""
    dump(Ref<Link>(7), to: &dumped)
    #expect(dumped == "▿ Link(7)\n  - id: 7\n")
  }

  @Test(arguments: hostile.indices) func `printed commits, changes and queries are one line`(
    index: Int
  )
    throws
  {
    let text = hostile[index]
    let store = try Store(.inMemory, entities: [Label.self])
    let commits = Recorder(store.commits)
    let changes = Recorder(store.changes(of: Label.self))
    try store.commit(named: text) { try $0.insert(Label(id: text, text: text)) }
    try store.commit { try $0.update(Label.self, text) { $0.text = "b" } }
    try store.commit { try $0.delete(Label.self, text) }
    #expect(commits.values.count == 3)
    for commit in commits.values {
      expectHarmless(commit)
      expectHarmless(commit.changes)
      for table in commit.changes.tables {
        for change in table.all { expectHarmless(change) }
      }
    }
    #expect(changes.values.count == 3)
    for changes in changes.values { expectHarmless(changes) }
    expectHarmless(Query<Label>().filter { $0.text == text }.description)
  }
}

private struct Label: Entity {
  let id: String
  var text: String
  static let attributes = Attributes(.id(\Label.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Label.init)
}

private struct Link: Entity {
  let id: Int
  var label: Ref<Label>
  var other: Ref<Label>?
  var text: String
  static let attributes = Attributes(
    .id(\Link.id), .one("label", \.label), .one("other", \.other), .attribute("text", \.text))
  static let schema = Schema(attributes, Link.init)
}
