import EntityStore
import Fixtures
import TestSupport
import Testing

struct Shelf: Entity {
  let id: String
  var floor: Int?
  static let attributes = Attributes(.id(\Shelf.id), .attribute("floor", \.floor))
  static let schema = Schema(attributes, Shelf.init)
}

extension Shelf {
  var books: Many<Shelf, Book> { Many(\.shelf) { [$0.volume.ascending, $0.title.descending] } }
}

struct Book: Entity {
  let id: Int
  var title = ""
  var isbn: String?
  var series: String?
  var volume: Int?
  var pages = 0
  var price: Double?
  var shelf: Ref<Shelf>?
  static let attributes = Attributes(
    .id(\Book.id), .attribute("title", \.title), .attribute("isbn", \.isbn),
    .attribute("series", \.series), .attribute("volume", \.volume), .attribute("pages", \.pages),
    .attribute("price", \.price), .one("shelf", \.shelf, inverse: \.books))
  static let schema = Schema(
    attributes, Book.init, rules: [.unique(\.isbn), .unique(\.series, \.volume), .index(\.pages)])
}

extension Book {
  var loans: Many<Book, Loan> { Many(\.book) }
}

struct Member: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Member.id))
  static let schema = Schema(attributes, Member.init)
}

extension Member {
  var loans: Many<Member, Loan> { Many(\.member) { [$0.day.descending] } }
}

/// Joins members and books.
struct Loan: Entity {
  let id: Int
  var member: Ref<Member>
  var book: Ref<Book>
  var day = 0
  static let attributes = Attributes(
    .id(\Loan.id), .one("member", \.member, inverse: \.loans),
    .one("book", \.book, inverse: \.loans), .attribute("day", \.day))
  static let schema = Schema(attributes, Loan.init)
}

/// All objects of a library, in the order of their ids.
struct Stock {
  var shelves: [Shelf] = []
  var books: [Book] = []
  var members: [Member] = []
  var loans: [Loan] = []

  static func random(seed: Int) -> Stock {
    var random = SeededGenerator(seed: seed)
    let names = ["", "A", "B", "a", "e\u{301}", "\u{E9}"]
    var stock = Stock(
      shelves: names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
        Shelf(id: $0, floor: random.chance(0.3) ? nil : Int.random(in: -1...2, using: &random))
      },
      members: (1...4).map { Member(id: $0) })
    for id in 0..<30 {
      stock.books.append(
        Book(
          id: id, title: HostileText.random(&random), isbn: id % 4 == 0 ? nil : "isbn \(id)",
          series: id % 3 == 0 ? nil : ["S", "s"][id % 2], volume: id % 5 == 0 ? nil : id,
          pages: Int.random(in: 0..<10, using: &random),
          price: random.chance(0.3) ? nil : Double(Int.random(in: -8..<9, using: &random)) / 4,
          shelf: random.chance(0.2) ? nil : names.randomElement(using: &random).map { Ref($0) }))
    }
    for id in 0..<40 {
      stock.loans.append(
        Loan(
          id: id, member: Ref(Int.random(in: 1...3, using: &random)),
          book: Ref(Int.random(in: 0..<30, using: &random)),
          day: Int.random(in: 0..<6, using: &random)))
    }
    return stock
  }

  /// The stock as it may have been before: with objects missing, too many and different.
  func earlier(seed: Int) -> Stock {
    var random = SeededGenerator(seed: seed)
    var stock = self
    stock.loans.removeAll { _ in random.chance(0.3) }
    for index in stock.loans.indices where random.chance(0.3) {
      stock.loans[index].day = 3
      stock.loans[index].book = Ref(7)
      stock.loans[index].member = Ref(4)
    }
    let lent = Set(stock.loans.map(\.book.id))
    stock.books.removeAll { !lent.contains($0.id) && random.chance(0.4) }
    for index in stock.books.indices where random.chance(0.4) {
      stock.books[index].title = "other"
      stock.books[index].isbn = "earlier \(index)"
      stock.books[index].volume = 1000 + index
      stock.books[index].pages = 4
      stock.books[index].price = 0.25
      stock.books[index].shelf = Ref("A")
    }
    for id in 100..<110 {
      stock.books.append(
        Book(id: id, title: "gone", series: "S", volume: id, pages: 3, price: 1, shelf: Ref("B")))
      stock.loans.append(Loan(id: id, member: Ref(1), book: Ref(id), day: 1))
    }
    for index in stock.shelves.indices { stock.shelves[index].floor = 9 }
    return stock
  }

  func shelf(of book: Book) -> Shelf? {
    book.shelf.flatMap { reference in shelves.first { Ref($0) == reference } }
  }
}

extension Draft {
  /// Makes the library hold exactly these objects.
  func replace(with stock: Stock) throws {
    func set<E: Entity>(_ objects: [E]) throws {
      let names = Set(objects.map { ObjectID($0) })
      for old in try fetch(Query<E>()) where !names.contains(ObjectID(old)) {
        try delete(ObjectID(old))
      }
      for object in objects { try upsert(object) }
    }
    try set(stock.loans)
    try set(stock.books)
    try set(stock.members)
    try set(stock.shelves)
  }
}

/// Something that is true of everything that can be read.
protocol ReadingCheck {
  func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws
}

extension TestStorage {
  func makeLibrary() throws -> Store {
    try makeStore(Shelf.self, Book.self, Member.self, Loan.self)
  }

  /// Runs a check on a store, a reader, a snapshot, and drafts in which nothing, everything and
  /// some of it has been written.
  func check(_ check: some ReadingCheck, seeds: Range<Int> = 0..<3) throws {
    try withEvery("seed", in: seeds) { seed in
      let stock = Stock.random(seed: seed)
      let store = try makeLibrary()
      try withEvery("form", in: ["a draft with everything"]) { _ in
        do {
          try store.commit { draft in
            try draft.replace(with: stock)
            try check.run(on: draft, stock)
            throw Refusal()
          }
        } catch is Refusal {}
      }
      try withEvery("form", in: ["a draft with some"]) { _ in
        try store.commit { try $0.replace(with: stock.earlier(seed: seed)) }
        try store.commit { draft in
          try draft.replace(with: stock)
          try check.run(on: draft, stock)
        }
      }
      try withEvery("form", in: ["a store"]) { _ in try check.run(on: store, stock) }
      try withEvery("form", in: ["a reader"]) { _ in
        try store.read { try check.run(on: $0, stock) }
      }
      try withEvery("form", in: ["a draft without writes"]) { _ in
        try store.commit { try check.run(on: $0, stock) }
      }
      if self != .memory { return }
      try withEvery("form", in: ["a snapshot"]) { _ in
        let snapshot = try store.snapshot()
        try store.commit { try $0.replace(with: stock.earlier(seed: seed + 1)) }
        try check.run(on: snapshot, stock)
      }
    }
  }
}
