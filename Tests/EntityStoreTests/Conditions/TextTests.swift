import EntityStore
import Fixtures
import TestSupport
import Testing

private struct Note: Entity {
  let id: Int
  var title: String
  var body: String?
  var above: Ref<Note>?
  static let attributes = Attributes(
    .id(\Note.id), .attribute("title", \.title), .attribute("body", \.body), .one("above", \.above))
  static let schema = Schema(attributes, Note.init)
}

@Suite struct `Conditions on text compare its bytes, or its folded form` {
  private static let titles = ["", "Ab", "aB", "AB", "ab", "xab", "ABx", "aab", "b", "a", "Aba"]

  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(Note.self)
    try store.commit { draft in
      for (id, title) in Self.titles.enumerated() {
        try draft.insert(
          Note(
            id: id, title: title, body: id % 3 == 0 ? nil : title,
            above: id == 0 ? nil : Ref(id - 1)))
      }
    }
    return store
  }

  private static func lower(_ text: String) -> String {
    String(decoding: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// Each test with and without its folding, on an attribute, an optional one and a related one.
  @Test(arguments: TestStorage.withServer)
  func `S7: the case of ASCII letters can be left out of every test`(_ storage: TestStorage) throws
  {
    let store = try makeStore(storage)
    typealias Make = @Sendable (Field<Note, String>, String, TextFolding) -> Condition<Note>
    typealias Holds = @Sendable (String, String) -> Bool
    let tests: [(name: String, make: Make, holds: Holds)] = [
      ("prefix", { $0.hasPrefix($1, ignoring: $2) }, { $0.hasPrefix($1) || $1.isEmpty }),
      ("suffix", { $0.hasSuffix($1, ignoring: $2) }, { $0.hasSuffix($1) || $1.isEmpty }),
      ("infix", { $0.contains($1, ignoring: $2) }, { $0.contains($1) || $1.isEmpty }),
      ("whole", { $0.equals($1, ignoring: $2) }, { $0 == $1 }),
    ]
    for test in tests {
      for folding in [[], .case] as [TextFolding] {
        for part in ["", "a", "A", "ab", "AB", "aB", "b", "xab", "abab", "c", "Ab "] {
          let label = "\(test.name) \(part) \(folding)"
          func holds(_ text: String?) -> Bool {
            guard let text else { return false }
            return folding.isEmpty
              ? test.holds(text, part) : test.holds(Self.lower(text), Self.lower(part))
          }
          func expect(
            _ kind: String, _ isFound: (Int) -> Bool,
            _ condition: (Row<Note, Note>) -> Condition<Note>
          ) throws {
            let expected = Self.titles.indices.filter(isFound)
            let others = Self.titles.indices.filter { !isFound($0) }
            let query = Query<Note>().filter { condition($0) }
            let opposite = Query<Note>().filter { !condition($0) }
            expectEqual(try store.fetch(query).map(\.id), expected, "\(label) \(kind)")
            expectEqual(try store.count(query), expected.count, "\(label) \(kind)")
            expectEqual(try store.fetch(opposite).map(\.id), others, "not \(label) \(kind)")
            let sorted = Query<Note>().sorted { [condition($0).descending] }
            expectEqual(try store.fetch(sorted).map(\.id), expected + others, "by \(label) \(kind)")
          }
          let body = { (id: Int) in id % 3 == 0 ? nil : Self.titles[id] }
          try expect("title", { holds(Self.titles[$0]) }) { test.make($0.title, part, folding) }
          try expect("body", { holds(body($0)) }) { test.make($0.body, part, folding) }
          try expect("above", { $0 > 0 && holds(body($0 - 1)) }) {
            test.make($0.above.body, part, folding)
          }
        }
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: without a folding the bytes decide`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Note.self)
    let samples = HostileText.samples
    try store.commit { draft in
      for (id, text) in samples.enumerated() { try draft.insert(Note(id: id, title: text)) }
    }
    for part in samples {
      let bytes = Array(part.utf8)
      func ids(_ condition: (Row<Note, Note>) -> Condition<Note>) throws -> [Int] {
        try store.fetch(Query<Note>().filter { condition($0) }).map(\.id)
      }
      func expected(_ holds: ([UInt8]) -> Bool) -> [Int] {
        samples.indices.filter { holds(Array(samples[$0].utf8)) }
      }
      expectEqual(try ids { $0.title.hasPrefix(part) }, expected { $0.starts(with: bytes) }, part)
      expectEqual(
        try ids { $0.title.hasSuffix(part) },
        expected { $0.reversed().starts(with: bytes.reversed()) }, part)
      expectEqual(
        try ids { $0.title.contains(part) },
        expected { text in
          bytes.isEmpty || text.indices.contains { text[$0...].starts(with: bytes) }
        }, part)
      expectEqual(try ids { $0.title.equals(part, ignoring: []) }, expected { $0 == bytes }, part)
    }
  }
}
