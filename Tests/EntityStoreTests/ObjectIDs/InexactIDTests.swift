import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

/// Text that is read without the spaces around it, and written with them.
private struct Code: Storable, Hashable {
  var text: String

  init(_ text: String) { self.text = text }

  static var storedType: StoredType { .text }
  var storedValue: StoredValue { .text(text) }
  init(storedValue: StoredValue) throws {
    let found = try String(storedValue: storedValue)
    guard found != "unreadable" else { throw StoredValue.Mismatch(storedValue, type: Code.self) }
    text = found.trimmingCharacters(in: .whitespaces)
  }
}

private struct Item: Entity {
  let id: Code
  var name = ""
  static let attributes = Attributes(.id(\Item.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Item.init)
}

private struct Rack: Entity {
  struct ID: CompositeID {
    var row: Int
    var code: Code
  }
  let id: ID
  static let attributes = Attributes(
    .id(\Rack.id, ID.init, .part("row", \.row), .part("code", \.code)))
  static let schema = Schema(attributes, Rack.init)
}

private struct Price: Entity {
  let id: Decimal
  static let attributes = Attributes(.id(\Price.id))
  static let schema = Schema(attributes, Price.init)
}

private struct Link: Entity {
  let id: UUID
  static let attributes = Attributes(.id(\Link.id))
  static let schema = Schema(attributes, Link.init)
}

@Suite struct `An id that differs from the one that its stored form gives` {
  @Test(arguments: TestStorage.withServer)
  func `S8: isn't inserted, and is named`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Item.self, Rack.self)
    try withEvery("text", in: [" a", "a ", " "]) { text in
      try store.expectRefusal(
        .inexactID(
          ObjectID(Item.self, Code(text)),
          again: .text(text.trimmingCharacters(in: .whitespaces)))
      ) { draft in
        try draft.insert(Item(id: Code("a")))
        try draft.insert(Item(id: Code(text)))
      }
    }
    try store.expectRefusal(.inexactID(ObjectID(Item.self, Code("unreadable")), again: nil)) {
      try $0.upsert(Item(id: Code("unreadable")))
    }
    let id = Rack.ID(row: 1, code: Code(" a"))
    try store.expectRefusal(
      .inexactID(ObjectID(Rack.self, id), again: .list([.integer(1), .text("a")]))
    ) { try $0.insert(Rack(id: id)) }
    try store.commit { draft in
      try draft.insert(Item(id: Code("a b")))
      try draft.insert(Item(id: Code("")))
      try draft.insert(Rack(id: .init(row: 1, code: Code("a"))))
      try draft.update(Item.self, Code("")) { $0.name = "nothing" }
    }
    #expect(try store.find(Item.self, Code(""))?.name == "nothing")
  }

  @Test func `S8: is no id of a name that was made by hand`() {
    func item(_ text: String) -> Code? {
      ObjectID(entityName: "Item", id: .text(text)).id(as: Item.self)
    }
    #expect(item("a") == Code("a"))
    #expect(item(" a") == nil)
    #expect(item("unreadable") == nil)
    #expect(ObjectID(entityName: "Price", id: .text("1.50")).id(as: Price.self) == nil)
    #expect(ObjectID(entityName: "Link", id: .text("x")).id(as: Link.self) == nil)
    let part = StoredValue.list([.integer(1), .text(" a")])
    #expect(ObjectID(entityName: "Rack", id: part).id(as: Rack.self) == nil)
    #expect(
      ObjectID(entityName: "Rack", id: .list([.integer(1), .text("a")])).id(as: Rack.self)
        == Rack.ID(row: 1, code: Code("a")))
  }

  @Test func `S8: a name's id is one that has the name, whatever the text`() {
    withEvery("name", in: ObjectIDTexts.odd) { text in
      let name = ObjectID(Tag.self, text)
      guard let id = name.id(as: Tag.self) else { return recordIssue("\(name) has no id") }
      expectEqual(Array(id.utf8), Array(text.utf8))
      expectEqual(ObjectID(name.description), name)
      let pair = ObjectID(entityName: text, id: .list([.text(text), .text("")]))
      expectEqual(ObjectID(pair.description), pair)
    }
  }

  private enum ObjectIDTexts {
    static let odd =
      [
        "", " ", ",", ", ", "(", ")", "()", "a(1)", "a, b", "(1, 2)", "\"", "\\", "\\\"", "nil",
        "0x00", "7", "\0", "\n", "\r\n", "e\u{301}", "\u{E9}", "\u{301}", "\u{FEFF}", "\u{202E}",
        "\u{1F469}\u{200D}\u{1F680}",
      ] + HostileText.samples
  }

  @Test func `S6: a hand-made id without parts, or with parts of parts, traps`() async throws {
    let empty = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    { _ = ObjectID(entityName: "Seat", id: .list([])) }
    empty.expectMessage("The id of a Seat has no parts; give it those of its schema")
    let nested = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    { _ = ObjectID(entityName: "Seat", id: .list([.integer(1), .list([.integer(2)])])) }
    nested.expectMessage(
      "A part of the id of a Seat has parts itself; list each of them as one of the id")
  }

  @Test func `S8: a name with NaN isn't encoded, since it couldn't be decoded`() {
    let names = [
      ObjectID(entityName: "M", id: .real(.nan)),
      ObjectID(entityName: "M", id: .list([.integer(1), .real(.nan)])),
    ]
    for name in names {
      #expect(throws: EncodingError.self) { try JSONEncoder().encode([name]) }
      #expect(ObjectID(name.description) == nil)
    }
  }
}
