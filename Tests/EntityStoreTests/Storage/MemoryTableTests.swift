@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

/// Something that is looked up in every way.
struct Article: Entity {
  let id: String
  var kind: String?
  var price: Double?
  var stock: Int
  var seller: Ref<Owner>?
  static let attributes = Attributes(
    .id(\Article.id), .attribute("kind", \.kind), .attribute("price", \.price),
    .attribute("stock", \.stock), .one("seller", \.seller, lateBound: true))
  static let schema = Schema(
    attributes, Article.init,
    rules: [.unique(\.kind, \.stock), .index(\.kind), .index(\.price), .index(\.stock)])
}

@Suite struct `A table in memory agrees with a scan of all rows` {
  private static let entity = Article.schema.entity

  private struct Pair {
    var table = MemoryTable(entity)
    /// By the bytes of the ids.
    var rows: [[UInt8]: Article] = [:]

    /// Makes changes, given as the articles that come, change or, if nil, go.
    mutating func apply(_ articles: [[UInt8]: Article?], _ free: inout FreeSlots) {
      var changes = TableChanges(Article.schema.entity)
      for (id, article) in articles {
        let key = StoredValue.text(String(decoding: id, as: UTF8.self))
        let change = ObjectChange(
          id: key, old: table.rows.row(key), new: article.map { EntityRow($0) })
        if change.old == nil && change.new == nil { continue }
        changes.set(change)
        rows[id] = article
      }
      table.apply(changes, &free)
    }

    /// The ids at some ranks of an index, in its order.
    func ids(_ index: OrderedIndex, _ ranks: Range<Int>) -> [StoredValue] {
      var ids: [StoredValue] = []
      index.forEachSlot(ranks) { ids.append(table.rows.id($0)) }
      return ids
    }

    /// The ids of the rows that have a first attribute and pass a test, in the order of an index.
    static func ids(
      _ rows: [[StoredValue]], by columns: [Int], where passes: ([StoredValue]) -> Bool
    ) -> [StoredValue] {
      rows.filter { !$0[columns[0]].isNull && passes($0) }
        .sorted { a, b in
          for column in columns + [0] where !Plain.equal(a[column], b[column]) {
            return Plain.compare(a[column], b[column]) < 0
          }
          return false
        }
        .map { $0[0] }
    }

    func check(_ generator: inout SeededGenerator, _ comment: String) {
      expectEqual(table.rows.count, rows.count, comment)
      let all = rows.values.map { EntityRow($0).values }
      for index in table.indexes {
        let columns = index.columns
        expectEqual(
          ids(index, 0..<index.tree.count), Self.ids(all, by: columns) { _ in true }, comment)
        for _ in 0..<3 {
          let values = columns.map { RandomArticles.value(Self.type($0), &generator) }
          for length in 1...columns.count {
            let sought = Array(values.prefix(length))
            let ranks = index.ranks(equal: sought, table.rows)
            let expected = Self.ids(all, by: columns) { row in
              zip(columns, sought).allSatisfy { Plain.equal(row[$0], $1) }
            }
            expectEqual(ids(index, ranks), expected, "\(sought) \(comment)")
          }
          let bounds = RandomArticles.bounds(Self.type(columns[0]), &generator)
          let ranks = index.ranks(equal: [], within: bounds, table.rows)
          let expected = Self.ids(all, by: columns) {
            RandomArticles.contains(bounds, $0[columns[0]])
          }
          expectEqual(ids(index, ranks), expected, "\(bounds) \(comment)")
        }
      }
    }

    private static func type(_ column: Int) -> StoredType { entity.columns[column].type }
  }

  @Test(.oneThread)
  func `Every index gives what it should after any inserts, updates and deletes, in copies too`() {
    withEvery("seed", in: seeds(40)) { seed in
      var articles = RandomArticles(seed: seed)
      var free = FreeSlots()
      var pair = Pair()
      var copies: [Pair] = []
      for step in 0..<25 {
        // Some commits change so much that indexes are made anew.
        let count =
          articles.generator.chance(0.2) ? 120 : Int.random(in: 1...6, using: &articles.generator)
        var changes: [[UInt8]: Article?] = [:]
        for _ in 0..<count {
          let article = articles.next()
          changes[Array(article.id.utf8)] = .some(articles.generator.chance(0.7) ? article : nil)
        }
        pair.apply(changes, &free)
        if step % 6 == 0 { pair.check(&articles.generator, "at step \(step)") }
        if articles.generator.chance(0.15) { copies.append(pair) }
      }
      pair.check(&articles.generator, "at the end")
      for copy in copies { copy.check(&articles.generator, "in a copy") }
    }
  }
}

/// Makes articles, with the same values again and again.
struct RandomArticles {
  var generator: SeededGenerator

  init(seed: Int) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> Article {
    var article = Article(
      id: HostileText.samples.randomElement(using: &generator) ?? "",
      kind: generator.chance(0.2) ? nil : HostileText.samples.randomElement(using: &generator),
      price: generator.chance(0.2) ? nil : RandomValues.real(&generator),
      stock: RandomValues.integer(&generator),
      seller: generator.chance(0.3) ? nil : Ref(Int.random(in: 0..<5, using: &generator)))
    // Many ids with one beginning, so that the first eight bytes don't tell.
    if generator.chance(0.7) {
      let number = Int.random(in: 0..<200, using: &generator)
      article = Article(
        id: "aaaaaaaa\(number)", kind: article.kind, price: article.price, stock: article.stock,
        seller: article.seller)
    }
    return article
  }

  static func value(_ type: StoredType, _ generator: inout SeededGenerator) -> StoredValue {
    // A reference's column is one of whole numbers, too.
    generator.chance(0.3) && type == .integer
      ? Int.random(in: 0..<5, using: &generator).storedValue : RandomValues.value(type, &generator)
  }

  static func bounds(_ type: StoredType, _ generator: inout SeededGenerator) -> ValueBounds {
    var bounds = ValueBounds()
    if generator.chance(0.8) {
      bounds.lower = ValueBounds.Bound(
        value: value(type, &generator), isIncluded: generator.chance(0.5))
    }
    if generator.chance(0.8) {
      bounds.upper = ValueBounds.Bound(
        value: value(type, &generator), isIncluded: generator.chance(0.5))
    }
    return bounds
  }

  /// Whether a value that isn't nil is within bounds, written once more.
  static func contains(_ bounds: ValueBounds, _ value: StoredValue) -> Bool {
    if let lower = bounds.lower {
      let order = Plain.compare(value, lower.value)
      if order < 0 || (order == 0 && !lower.isIncluded) { return false }
    }
    if let upper = bounds.upper {
      let order = Plain.compare(value, upper.value)
      if order > 0 || (order == 0 && !upper.isIncluded) { return false }
    }
    return true
  }
}
