import EntityStore

/// Queries with their plain meaning; some of them SQL can't say, in the filter or in the order.
struct PlainQuery: Sendable {
  let name: String
  let query: Query<Book>
  let belongs: @Sendable (Book, Stock) -> Bool
  /// Whether the first comes before the second; the ids decide where none does.
  let precedes: @Sendable (Book, Book, Stock) -> Bool

  func books(_ stock: Stock) -> [Book] {
    stock.books.filter { belongs($0, stock) }.sorted { a, b in
      if precedes(a, b, stock) { return true }
      return !precedes(b, a, stock) && a.id < b.id
    }
  }
}

extension PlainQuery {
  private static let byLength = ValueComparator<String>("length") { $0.utf8.count < $1.utf8.count }

  private static func before(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  static let all = [
    PlainQuery(
      name: "all", query: Query(), belongs: { _, _ in true }, precedes: { _, _, _ in false }),
    PlainQuery(
      name: "sorted", query: Query<Book>().sorted { [$0.pages.descending] },
      belongs: { _, _ in true }, precedes: { a, b, _ in a.pages > b.pages }),
    PlainQuery(
      name: "filtered",
      query: Query<Book>().filter { $0.pages > 3 }.sorted { [$0.title.ascending] },
      belongs: { book, _ in book.pages > 3 }, precedes: { a, b, _ in before(a.title, b.title) }),
    PlainQuery(
      name: "by shelf",
      query: Query<Book>().filter { $0.shelf.floor >= 0 }.sorted { [$0.shelf.id.descending] },
      belongs: { book, stock in (stock.shelf(of: book)?.floor ?? -1) >= 0 },
      precedes: { a, b, _ in before(b.shelf?.id ?? "", a.shelf?.id ?? "") }),
    PlainQuery(
      name: "a filter that SQL can't say",
      query: Query<Book>().filter { $0.isbn.hasPrefix("ISBN 1", ignoring: .case) }
        .sorted { [$0.pages.ascending] },
      belongs: { book, _ in book.isbn?.hasPrefix("isbn 1") ?? false },
      precedes: { a, b, _ in a.pages < b.pages }),
    PlainQuery(
      name: "half a filter that SQL can't say",
      query: Query<Book>().filter {
        $0.pages > 2
        $0.isbn.contains("SB", ignoring: .case)
      },
      belongs: { book, _ in book.isbn != nil && book.pages > 2 }, precedes: { _, _, _ in false }),
    PlainQuery(
      name: "an order that SQL can't say",
      query: Query<Book>().sorted { [$0.title.descending(by: byLength), $0.pages.ascending] },
      belongs: { _, _ in true },
      precedes: { a, b, _ in
        let (x, y) = (a.title.utf8.count, b.title.utf8.count)
        if x != y { return x > y }
        if before(a.title, b.title) || before(b.title, a.title) { return before(b.title, a.title) }
        return a.pages < b.pages
      }),
  ]
}
