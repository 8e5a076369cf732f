@_spi(Storage) import EntityStore
import Fixtures
import TestSupport
import Testing

private struct Word: Entity {
  let id: Int
  var text: String?
  var rank: Int?
  var next: Ref<Word>?
  static let attributes = Attributes(
    .id(\Word.id), .attribute("text", \.text), .attribute("rank", \.rank), .one("next", \.next))
  static let schema = Schema(attributes, Word.init)
}

@Suite struct `Objects are returned in the order of the query` {
  private static let words: [Word] = ["bb", nil, "a", "ccc", "b", nil, "aa", "", "B", "aaa"]
    .enumerated().map { id, text in
      Word(
        id: id, text: text, rank: id % 4 == 1 ? nil : id % 3,
        next: id == 0 ? nil : Ref(id * 7 % 10))
    }

  private static let byLength = ValueComparator<String>("length") { $0.utf8.count < $1.utf8.count }
  private static let oddFirst = ValueComparator<Int>("odd first") { $0 % 2 > $1 % 2 }

  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(Word.self)
    try store.commit { draft in for word in Self.words { try draft.insert(word) } }
    return store
  }

  /// Expects an order in the store, and in a draft that has written some of it.
  private func expect(
    _ store: Store, _ expected: [Int], sourceLocation: SourceLocation = #_sourceLocation,
    _ keys: (Row<Word, Word>) -> [Ordering<Word>]
  ) throws {
    let query = Query<Word>().sorted(keys)
    #expect(try store.fetch(query).map(\.id) == expected, sourceLocation: sourceLocation)
    #expect(
      try store.fetch(query.limit(3, offset: 2)).map(\.id) == Array(expected[2..<5]),
      sourceLocation: sourceLocation)
    try store.commit { draft in
      for word in Self.words.prefix(5) {
        try draft.delete(Word.self, word.id)
        try draft.insert(word)
      }
      let found = try draft.fetch(query).map(\.id)
      #expect(found == expected, "in a draft", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: nil stands where the order says, whatever the direction`(_ storage: TestStorage) throws
  {
    let store = try makeStore(storage)
    let up = [7, 8, 2, 6, 9, 4, 0, 3]
    try expect(store, [1, 5] + up) { [$0.text.ascending] }
    try expect(store, [1, 5] + up) { [$0.text.ascending.nilsFirst] }
    try expect(store, up + [1, 5]) { [$0.text.ascending.nilsLast] }
    try expect(store, up.reversed() + [1, 5]) { [$0.text.descending] }
    try expect(store, up.reversed() + [1, 5]) { [$0.text.descending.nilsLast] }
    try expect(store, [1, 5] + up.reversed()) { [$0.text.descending.nilsFirst] }
    try expect(store, up + [1, 5]) { [$0.text.ascending.nilsFirst.nilsLast] }
    // As a second key, and beyond a reference, where the object itself may be nobody.
    try expect(store, [1, 5, 9, 0, 3, 6, 4, 7, 2, 8]) { [$0.rank.ascending, $0.id.ascending] }
    try expect(store, [8, 2, 7, 4, 6, 0, 3, 9, 1, 5]) {
      [$0.rank.descending.nilsLast, $0.text.ascending.nilsLast]
    }
    let next = Self.words.map { word in word.next.flatMap { Self.words[$0.id].text } }
    let rest = (0..<10).filter { next[$0] != nil }.sorted { a, b in
      next[a] == next[b] ? a < b : next[a] ?? "" < next[b] ?? ""
    }
    let none = (0..<10).filter { next[$0] == nil }
    try expect(store, none + rest) { [$0.next.text.ascending] }
    try expect(store, rest + none) { [$0.next.text.ascending.nilsLast] }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: a custom order decides, and stored forms where it doesn't`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let up = [7, 8, 2, 4, 6, 0, 9, 3]
    try expect(store, [1, 5] + up) { [$0.text.ascending(by: Self.byLength)] }
    try expect(store, up.reversed() + [1, 5]) { [$0.text.descending(by: Self.byLength)] }
    try expect(store, up + [1, 5]) { [$0.text.ascending(by: Self.byLength).nilsLast] }
    try expect(store, [1, 5] + up.reversed()) { [$0.text.descending(by: Self.byLength).nilsFirst] }
    // 1 before 0 and 2, which are equal so far and stand by their numbers.
    try expect(store, [1, 5, 9, 4, 7, 0, 3, 6, 2, 8]) { [$0.rank.ascending(by: Self.oddFirst)] }
    try expect(store, [2, 8, 0, 3, 6, 4, 7, 1, 5, 9]) { [$0.rank.descending(by: Self.oddFirst)] }
    // As one key of several.
    try expect(store, [9, 5, 1, 7, 4, 6, 3, 0, 8, 2]) {
      [$0.rank.ascending(by: Self.oddFirst), $0.id.descending]
    }
    try expect(store, expectedByRank()) {
      [$0.rank.ascending, $0.text.ascending(by: Self.byLength)]
    }
    let next = Query<Word>().sorted { [$0.next.text.ascending(by: Self.byLength)] }
    let lengths = try store.fetch(next).map { word in
      word.next.flatMap { Self.words[$0.id].text?.utf8.count } ?? -1
    }
    #expect(lengths == lengths.sorted())
    #expect(Set(try store.fetch(next).map(\.id)).count == 10)
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: the last objects of a query are the end of its result, in its order`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let queries = [
      Query<Word>(), Query<Word>().sorted { [$0.rank.descending] },
      Query<Word>().sorted { [$0.text.ascending.nilsLast, $0.rank.ascending] },
      Query<Word>().sorted { [$0.text.ascending.natural] },
      Query<Word>().sorted { [$0.text.descending(by: Self.byLength)] },
      Query<Word>().filter { $0.rank > 0 }.sectioned { $0.rank },
      Query<Word>().filter { $0.text.contains("a", ignoring: .case) }.sorted {
        [$0.text.ascending]
      },
    ]
    for query in queries {
      let all = try store.fetch(query).map(\.id)
      for count in [0, 1, 3, 20] {
        for offset in [0, 1, 4, 20] {
          let end = query.last(count, offset: offset)
          let expected = Array(all.dropLast(offset).suffix(count))
          #expect(try store.fetch(end).map(\.id) == expected, "\(end.description)")
          #expect(try store.first(end)?.id == expected.first, "\(end.description)")
          #expect(try store.count(end) == expected.count, "\(end.description)")
          #expect(try store.sum(of: end) { $0.id } == expected.reduce(0, +), "\(end.description)")
          try store.commit { draft in
            let found = try draft.fetch(end).map(\.id)
            #expect(found == expected, "\(end.description)")
          }
        }
      }
    }
    #expect(
      "\(Query<Word>().last(3, offset: 2).description)" == "Word the last 3 before the last 2")
  }

  /// By rank, then by length, then by bytes, then by id; nil first.
  private func expectedByRank() -> [Int] {
    func key(_ word: Word) -> (Int, Int, [UInt8], Int) {
      (word.rank ?? -1, word.text?.utf8.count ?? -1, Array((word.text ?? "").utf8), word.id)
    }
    return Self.words.sorted { a, b in
      let (x, y) = (key(a), key(b))
      if x.0 != y.0 { return x.0 < y.0 }
      if x.1 != y.1 { return x.1 < y.1 }
      if x.2 != y.2 { return x.2.lexicographicallyPrecedes(y.2) }
      return x.3 < y.3
    }.map(\.id)
  }

  @Test func `S7: queries are equal where they use the same order`() {
    let same = ValueComparator<String>("length") { $0.utf8.count < $1.utf8.count }
    let query = Query<Word>().sorted { [$0.text.ascending(by: Self.byLength)] }
    let again = Query<Word>().sorted { [$0.text.ascending(by: Self.byLength)] }
    let other = Query<Word>().sorted { [$0.text.ascending(by: same)] }
    #expect(query.description == again.description)
    #expect(query.description.hashValue == again.description.hashValue)
    #expect(query.description != other.description)
    #expect(
      query.description
        != Query<Word>().sorted { [$0.text.descending(by: Self.byLength)] }.description)
  }
}
