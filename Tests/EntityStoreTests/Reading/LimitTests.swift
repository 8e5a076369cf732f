@_spi(Storage) import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

@Suite struct `A query's limit and offset select a part of its result` {
  @Test(.oneThread, arguments: TestStorage.withServer)
  func `S5: in everything that can be read, also where SQL can't say the query`(
    _ storage: TestStorage
  ) throws {
    struct Limited: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        for plain in PlainQuery.all {
          let all = plain.books(stock).map(\.id)
          expectEqual(try reading.fetch(plain.query).map(\.id), all, plain.name)
          expectEqual(try reading.count(plain.query), all.count, plain.name)
          expectEqual(try reading.first(plain.query)?.id, all.first, plain.name)
          for limit in [0, 1, 7, all.count, .max] {
            for offset in [0, 5, all.count, .max] {
              let query = plain.query.limit(limit, offset: offset)
              let expected = Array(all.dropFirst(offset).prefix(limit))
              let label = "\(plain.name), limit \(limit), offset \(offset)"
              expectEqual(try reading.fetch(query).map(\.id), expected, label)
              expectEqual(try reading.count(query), expected.count, label)
              expectEqual(try reading.first(query)?.id, expected.first, label)
            }
          }
        }
      }
    }
    try storage.check(Limited(), seeds: 0..<1)
  }

  @Test(.oneThread, arguments: TestStorage.withServer)
  func `S5: numbers about a limited query are about the objects that it gives`(
    _ storage: TestStorage
  ) throws {
    struct Numbers: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        for plain in PlainQuery.all {
          let books = plain.books(stock)
          for (limit, offset) in [(0, 0), (3, 0), (3, 4), (100, 2), (2, 100)] {
            let query = plain.query.limit(limit, offset: offset)
            let some = books.dropFirst(offset).prefix(limit)
            let label = "\(plain.name), limit \(limit), offset \(offset)"
            expectEqual(
              try reading.sum(of: query) { $0.pages }, some.reduce(0) { $0 + $1.pages }, label)
            expectEqual(try reading.min(of: query) { $0.pages }, some.map(\.pages).min(), label)
            expectEqual(
              try reading.max(of: query) { $0.price }, some.compactMap(\.price).max(), label)
            let counts = try reading.counts(of: query) { $0.pages }
            expectEqual(counts.reduce(0) { $0 + $1.count }, some.count, label)
          }
        }
      }
    }
    try storage.check(Numbers(), seeds: 0..<2)
  }

  // Memory puts the objects in order when it knows which ones meet the condition.
  @Test(arguments: TestStorage.withServer.filter { $0 != .memory })
  func `S7: where SQL has the order, no condition is tried on an object beyond the limit`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.commit { draft in
      try draft.insert(bob)
      for id in 1...38 { try draft.insert(Car(id: id, model: "Fiat", year: id)) }
      // The sum of these is too large.
      for id in 39...40 {
        try draft.insert(Car(id: id, model: "Tesla", year: .max, owner: Ref(bob)))
      }
    }
    let cars = Query<Car>().filter { $0.owner.cars.sum { $0.year } >= 0 }
    let byYear = cars.sorted { [$0.year.ascending] }
    #expect(try store.fetch(byYear.limit(1)).map(\.id) == [1])
    #expect(try store.fetch(byYear.limit(2, offset: 36)).map(\.id) == [37, 38])
    #expect(try store.fetch(byYear.limit(0)).isEmpty)
    #expect(try store.sum(of: byYear.limit(2)) { $0.id } == 3)
    let last = cars.sorted { [$0.year.descending] }.last(2, offset: 1)
    #expect(try store.fetch(last).map(\.id) == [3, 2])
    #expect(throws: StoreError.overflow(entity: "Car")) { try store.fetch(byYear.limit(39)) }
    #expect(throws: StoreError.overflow(entity: "Car")) {
      try store.fetch(byYear.limit(1, offset: 38))
    }
  }

  @Test func `S5: after a write, a limited read or a count fetches a few rows of the storage`()
    throws
  {
    let storage = CountedStorage()
    let store = try Store(
      .custom { storage }, entities: [Shelf.self, Book.self, Member.self, Loan.self])
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Shelf(id: "\(id)", floor: id)) }
      for id in 1...1000 {
        try draft.insert(Book(id: id, pages: id, shelf: Ref(id > 990 ? "1" : "2")))
      }
    }
    let longest = Query<Book>().sorted { [$0.pages.descending] }
    let high = longest.filter { $0.shelf.floor > 1 }
    try store.commit { draft in
      try draft.update(Book.self, 500) { $0.pages = 2000 }
      try draft.delete(Book.self, 1000)
      try draft.insert(Book(id: 1001, pages: 998, shelf: Ref("2")))
      let first = try draft.first(longest)?.id
      #expect(first == 500)
      let next = try draft.fetch(longest.limit(3, offset: 1)).map(\.id)
      #expect(next == [999, 998, 1001])
      let least = try draft.fetch(longest.last(1)).map(\.id)
      #expect(least == [1])
      let count = try draft.count(longest.filter { $0.pages > 500 })
      #expect(count == 501)
      // The shelf's books are read one by one, for they may be found now.
      try draft.update(Shelf.self, "1") { $0.floor = 3 }
      let found = try draft.fetch(high.limit(4)).map(\.id)
      #expect(found == [500, 999, 998, 1001])
      let all = try draft.count(high)
      #expect(all == 1000)
    }
    #expect(storage.rowsFoundByCommits.load() < 50)
  }

  @Test(arguments: TestStorage.allCases)
  func `S7: a limit by relevance depends on all objects that a body has written`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Leaf.self)
    try store.commit { draft in
      for id in 1...10 {
        try draft.insert(Leaf(id: id, title: id == 1 ? "milk" : id < 5 ? "tea" : "water"))
      }
    }
    let query = Query<Leaf>().matching("tea OR milk").sorted { [$0.rank(of: "tea OR milk")] }
      .limit(1)
    #expect(try store.fetch(query).map(\.id) == [1])
    try store.commit { draft in
      for id in 11...30 { try draft.insert(Leaf(id: id, title: "milk and more of it")) }
      let found = try draft.fetch(query).map(\.id)
      #expect(found == [2])
    }
    #expect(try store.fetch(query).map(\.id) == [2])
  }

  @Test func `S6: a limit or an offset below zero traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Query<Book>().limit(-1)
    }
    trap.expectMessage("A limit of -1 objects; use 0 or more")
    let other = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    {
      _ = Query<Book>().limit(1, offset: -2)
    }
    other.expectMessage("An offset of -2 objects; use 0 or more")
  }
}
