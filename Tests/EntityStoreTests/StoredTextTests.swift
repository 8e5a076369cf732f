@testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// A note whose id and title are text.
private struct Note: Entity {
  let id: String
  var title: String?
  var about: Ref<Note>?
  static let attributes = Attributes(
    .id(\Note.id), .attribute("title", \.title), .one("about", \.about))
  static let schema = Schema(attributes, Note.init, rules: [.unique(\.title)])
}

@Suite struct `Text is compared by the bytes of its UTF-8` {
  private static let texts = HostileText.samples

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static let inOrder = texts.sorted { bytes($0).lexicographicallyPrecedes(bytes($1)) }

  @Test func `S8: the order of text is that of its bytes, strict and total`() {
    withEvery("a", in: Self.texts) { a in
      withEvery("b", in: Self.texts) { b in
        let (x, y) = (StoredValue.text(a), StoredValue.text(b))
        let isSame = Self.bytes(a) == Self.bytes(b)
        expectEqual(x == y, isSame)
        expectEqual(x < y, Self.bytes(a).lexicographicallyPrecedes(Self.bytes(b)))
        expectEqual([x < y, x == y, y < x].filter { $0 }.count, 1)
        if isSame { expectEqual(x.hashValue, y.hashValue) }
        expectEqual(Set([x, y]).count, isSame ? 1 : 2)
      }
    }
  }

  @Test func `S8: references are equal where the bytes of their ids are`() {
    let composed = Ref<Note>("caf\u{E9}")
    let decomposed = Ref<Note>("cafe\u{301}")
    #expect(composed.id == decomposed.id)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
  }

  @Test func `S8: text in foreign storage has the bytes of native text`() {
    // A bridged or lazily made string needn't be contiguous; a substring is a part of another's.
    withEvery("text", in: Self.texts) { text in
      let substring = String(("<" + text + ">").utf8.dropFirst().dropLast()) ?? ""
      expectEqual(StoredValue.text(substring), .text(text))
      expectEqual(StoredValue.text(substring).hashValue, StoredValue.text(text).hashValue)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: texts of different bytes are different ids and unique values`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeStore(Note.self)
    try store.commit { draft in
      for text in Self.texts.shuffled() { try draft.insert(Note(id: text, title: text)) }
    }
    #expect(try store.all(Note.self).map { Self.bytes($0.id) } == Self.inOrder.map(Self.bytes))
    try withEvery("text", in: Self.texts) { text in
      expectEqual(try store.find(Note.self, text).map { Self.bytes($0.id) }, Self.bytes(text))
      let titled = try store.fetch(Query<Note>().filter { $0.title == text })
      expectEqual(titled.map { Self.bytes($0.id) }, [Self.bytes(text)])
      let others = try store.count(Query<Note>().filter { $0.title != text })
      expectEqual(others, Self.texts.count - 1)
      let listed = try store.fetch(Query<Note>().filter { [text].contains($0.id) })
      expectEqual(listed.map { Self.bytes($0.id) }, [Self.bytes(text)])
    }
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Note(id: "new", title: "\u{212A}")) }
    }
    try store.commit { try $0.update(Note.self, "\u{212A}") { $0.title = "\u{212A}\u{212A}" } }
    #expect(try store.find(Note.self, "K")?.title == "K")
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: sorting, ranges and parts of text go by bytes`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Note.self)
    try store.commit { draft in
      for text in Self.texts { try draft.insert(Note(id: text, title: text)) }
    }
    let query = Query<Note>()
    let descending = try store.fetch(query.sorted { [$0.title.descending] })
    #expect(descending.map { Self.bytes($0.id) } == Self.inOrder.reversed().map(Self.bytes))
    try withEvery("part", in: Self.texts + ["aa", "\0b", "\u{301}z"]) { part in
      let bytes = Self.bytes(part)
      func found(_ query: Query<Note>) throws -> [String] { try store.fetch(query).map(\.id) }
      func expected(_ isIn: ([UInt8]) -> Bool) -> [String] {
        Self.inOrder.filter { isIn(Self.bytes($0)) }
      }
      expectEqual(
        try found(query.filter { $0.title < part }),
        expected { $0.lexicographicallyPrecedes(bytes) })
      expectEqual(
        try found(query.filter { $0.title.hasPrefix(part) }), expected { $0.starts(with: bytes) })
      expectEqual(
        try found(query.filter { $0.title.hasSuffix(part) }),
        expected { $0.reversed().starts(with: bytes.reversed()) })
      expectEqual(
        try found(query.filter { $0.title.contains(part) }),
        expected { text in
          bytes.isEmpty || text.indices.contains { text[$0...].starts(with: bytes) }
        })
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a reference to a twin is no reference to the object`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Note.self)
    try store.commit { try $0.insert(Note(id: "\u{E9}")) }
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Note(id: "a", about: Ref("e\u{301}"))) }
    }
    try store.commit { draft in
      try draft.insert(Note(id: "e\u{301}", title: "decomposed"))
      try draft.insert(Note(id: "a", about: Ref("e\u{301}")))
      try draft.insert(Note(id: "b", about: Ref("\u{E9}")))
    }
    #expect(
      try store.fetch(Query<Note>().filter { $0.about.title == "decomposed" }).map(\.id) == ["a"])
    try store.commit { try $0.delete(Note.self, "\u{E9}") }
    #expect(try store.find(Note.self, "a")?.about != nil)
    #expect(try store.find(Note.self, "b")?.about == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a text that changes to its twin has changed`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Note.self)
    try store.commit { try $0.insert(Note(id: "a", title: "\u{E9}")) }
    let commits = Recorder(store.commits)
    try store.commit { try $0.update(Note.self, "a") { $0.title = "e\u{301}" } }
    #expect(commits.values.first?.changes(of: Note.self).updated.map(\.attributes) == [["title"]])
    #expect(try store.find(Note.self, "a")?.title?.utf8.count == 3)
  }
}
