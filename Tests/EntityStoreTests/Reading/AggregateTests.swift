import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `Aggregates of the objects of a query` {
  @Test(arguments: TestStorage.withServer)
  func `S7: sums, averages and extremes leave nil out, and counts have it first`(
    _ storage: TestStorage
  ) throws {
    struct Numbers: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        let queries: [(Query<Book>, [Book])] = [
          (Query(), stock.books),
          (Query().filter { $0.pages > 4 }, stock.books.filter { $0.pages > 4 }),
          (Query().filter { $0.shelf.isNil }, stock.books.filter { $0.shelf == nil }),
          (
            Query().filter { $0.isbn.hasPrefix("ISBN", ignoring: .case) },
            stock.books.filter { $0.isbn != nil }
          ),
          (Query().filter { $0.pages > 99 }, []),
        ]
        for (query, books) in queries {
          let pages = books.map(\.pages)
          expectEqual(try reading.sum(of: query) { $0.pages }, pages.reduce(0, +))
          expectEqual(
            try reading.average(of: query) { $0.pages },
            pages.isEmpty ? nil : Double(pages.reduce(0, +)) / Double(pages.count))
          expectEqual(try reading.min(of: query) { $0.pages }, pages.min())
          expectEqual(try reading.max(of: query) { $0.pages }, pages.max())
          let volumes = books.compactMap(\.volume)
          expectEqual(try reading.sum(of: query) { $0.volume }, volumes.reduce(0, +))
          expectEqual(
            try reading.average(of: query) { $0.volume },
            volumes.isEmpty ? nil : Double(volumes.reduce(0, +)) / Double(volumes.count))
          let prices = books.compactMap(\.price)
          // Quarters, whose sums are exact.
          expectEqual(try reading.sum(of: query) { $0.price }, prices.reduce(0, +))
          expectEqual(
            try reading.average(of: query) { $0.price },
            prices.isEmpty ? nil : prices.reduce(0, +) / Double(prices.count))
          expectEqual(try reading.min(of: query) { $0.price }, prices.min())
          expectEqual(try reading.max(of: query) { $0.price }, prices.max())
          // Over a reference: once for each book.
          let floors = books.map { stock.shelf(of: $0)?.floor }
          let some = floors.compactMap { $0 }
          expectEqual(try reading.sum(of: query) { $0.shelf.floor }, some.reduce(0, +))
          expectEqual(try reading.min(of: query) { $0.shelf.floor }, some.min())
          expectEqual(try reading.max(of: query) { $0.shelf.floor }, some.max())
          let counts = try reading.counts(of: query) { $0.shelf.floor }
          let groups = Dictionary(grouping: floors) { $0 }.mapValues(\.count)
            .sorted { $0.key ?? .min < $1.key ?? .min }
          expectEqual(counts.map(\.value), groups.map(\.key))
          expectEqual(counts.map(\.count), groups.map(\.value))
          // Over the objects that refer.
          let loans = books.map { book in stock.loans.count { $0.book == Ref(book) } }
          expectEqual(try reading.sum(of: query) { $0.loans.count }, loans.reduce(0, +))
          expectEqual(try reading.max(of: query) { $0.loans.count }, loans.max())
          // Truths are 0 and 1.
          let long = try reading.counts(of: query) { $0.pages > 6 }
          expectEqual(
            long.first { $0.value == true }?.count ?? 0, books.count { $0.pages > 6 })
        }
      }
    }
    try storage.check(Numbers(), seeds: 0..<2)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: counts distinguish texts of different bytes`(_ storage: TestStorage) throws {
    struct ByShelf: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        let counts = try reading.counts(of: Query<Book>()) { $0.shelf.id }
        let none = stock.books.count { $0.shelf == nil }
        var expected: [(bytes: [UInt8]?, count: Int)] = none > 0 ? [(nil, none)] : []
        for shelf in stock.shelves {
          let count = stock.books.count { $0.shelf == Ref(shelf) }
          if count > 0 { expected.append((Array(shelf.id.utf8), count)) }
        }
        expectEqual(counts.map { $0.value.map { Array($0.utf8) } }, expected.map(\.bytes))
        expectEqual(counts.map(\.count), expected.map(\.count))
      }
    }
    try storage.check(ByShelf())
  }

  @Test(arguments: TestStorage.withServer)
  func `S6: a sum of whole numbers is exact up to the limits of Int, and thrown beyond`(
    _ storage: TestStorage
  ) throws {
    func expectSum(_ numbers: [Int], sourceLocation: SourceLocation = #_sourceLocation) throws {
      let store = try storage.makeStore(Sampler.self)
      try store.commit { draft in
        for (id, number) in numbers.enumerated() { try draft.insert(Sampler(id: id, int: number)) }
      }
      // Added up where nothing overflows.
      var high = 0
      var low: UInt = 0
      for number in numbers {
        let (sum, carry) = low.addingReportingOverflow(UInt(bitPattern: number))
        low = sum
        high += (number < 0 ? -1 : 0) + (carry ? 1 : 0)
      }
      let fits = high == 0 && low <= UInt(Int.max) || high == -1 && low > UInt(Int.max)
      let field = { (row: Row<Sampler, Sampler>) in row.int }
      if fits {
        let sum = Int(bitPattern: low)
        #expect(try store.sum(of: Query(), field) == sum, sourceLocation: sourceLocation)
        #expect(
          try store.average(of: Query(), field) == Double(sum) / Double(numbers.count),
          sourceLocation: sourceLocation)
      } else {
        let overflow = StoreError.overflow(entity: "Sampler")
        #expect(throws: overflow, sourceLocation: sourceLocation) {
          try store.sum(of: Query(), field)
        }
        #expect(throws: overflow, sourceLocation: sourceLocation) {
          try store.average(of: Query(), field)
        }
      }
    }
    try expectSum([.max])
    try expectSum([.max, 1])
    try expectSum([.max, 1, -1])
    try expectSum([.max, .max, .min, .min])
    try expectSum([.max, .max, .min, .min, 2])
    try expectSum([.max, .max, .max, .min, .min, .min, 3])
    try expectSum([.min])
    try expectSum([.min, -1])
    try expectSum([.min, -1, 1])
    try expectSum([.min, .max])
    try expectSum([.min, .max, -1])
    try expectSum(Array(repeating: .max, count: 9) + Array(repeating: .min, count: 9) + [9])
    try expectSum(Array(repeating: .max, count: 9) + Array(repeating: .min, count: 8))
    try expectSum(Array(repeating: .min, count: 9) + Array(repeating: .max, count: 8))
    try expectSum(Array(repeating: .min, count: 8) + Array(repeating: .max, count: 8))
  }

  @Test(arguments: TestStorage.withServer)
  func `S6: numbers of every width are summed up as Int`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Sampler.self)
    try store.commit { draft in
      for id in 0..<4 {
        try draft.insert(
          Sampler(
            id: id, int8: .min, int16: .max, int32: .min, uint8: .max, uint32: .max,
            uint64: UInt64(Int64.max) / 4))
      }
    }
    #expect(try store.sum(of: Query<Sampler>()) { $0.int8 } == -512)
    #expect(try store.sum(of: Query<Sampler>()) { $0.int16 } == 4 * Int(Int16.max))
    #expect(try store.sum(of: Query<Sampler>()) { $0.int32 } == 4 * Int(Int32.min))
    #expect(try store.sum(of: Query<Sampler>()) { $0.uint8 } == 1020)
    #expect(try store.sum(of: Query<Sampler>()) { $0.uint32 } == 4 * Int(UInt32.max))
    #expect(try store.sum(of: Query<Sampler>()) { $0.uint64 } == Int.max / 4 * 4)
    #expect(try store.average(of: Query<Sampler>()) { $0.int8 } == -128)
    try store.commit { draft in try draft.update(Sampler.self, 0) { $0.uint64 = .max } }
    #expect(throws: StoreError.overflow(entity: "Sampler")) {
      try store.sum(of: Query<Sampler>()) { $0.uint64 }
    }
    #expect(try store.max(of: Query<Sampler>()) { $0.uint64 } == .max)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a sum of numbers with a fraction makes up for rounding, and may be infinite`(
    _ storage: TestStorage
  ) throws {
    func sum(_ numbers: [Double?]) throws -> (sum: Double, average: Double?) {
      let store = try storage.makeStore(Measure.self)
      try store.commit { draft in
        for (id, number) in numbers.enumerated() {
          try draft.insert(Measure(id: id, value: number))
        }
      }
      return (
        try store.sum(of: Query<Measure>()) { $0.value },
        try store.average(of: Query<Measure>()) { $0.value }
      )
    }
    #expect(try sum([]) == (0, nil))
    #expect(try sum([nil, nil]) == (0, nil))
    #expect(try sum([1e100, 1, -1e100]) == (1, 1.0 / 3))
    #expect(try sum([1, 1e100, 1, -1e100]) == (2, 0.5))
    #expect(try sum([1, nil, 1e100, nil, 1, -1e100]) == (2, 0.5))
    #expect(try sum(Array(repeating: 0.1, count: 1000)).sum == 100)
    #expect(try sum(Array(repeating: -0.1, count: 10)).sum == -1)
    #expect(try sum([-0.0, -0.0]) == (0, 0))
    #expect(try sum([.infinity, 1]) == (.infinity, .infinity))
    #expect(try sum([1, -.infinity]) == (-.infinity, -.infinity))
    #expect(try sum([.infinity, -.infinity]).sum.isNaN)
    #expect(try sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude]).sum == .infinity)
    #expect(try sum([1, .infinity, 1e300, .infinity]).sum == .infinity)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: an average of finite numbers is finite, though their sum is too large`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeLibrary()
    let large = Double.greatestFiniteMagnitude
    try store.commit { draft in
      try draft.insert(Shelf(id: "A"))
      for id in 1...2 { try draft.insert(Book(id: id, price: large, shelf: Ref("A"))) }
    }
    #expect(try store.sum(of: Query<Book>()) { $0.price } == .infinity)
    #expect(try store.average(of: Query<Book>()) { $0.price } == large)
    let shelves = Query<Shelf>().filter { $0.books.average { $0.price } == large }
    #expect(try store.count(shelves) == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a sum of random numbers is that of exact arithmetic, rounded`(_ storage: TestStorage)
    throws
  {
    try withEvery("seed", in: seeds(20)) { seed in
      var random = SeededGenerator(seed: seed)
      // Multiples of a power of two within 2^62, so that Int adds them exactly.
      let numbers = (0..<50).map { _ in
        Int.random(in: -(1 << 20)...(1 << 20), using: &random)
          << Int.random(in: 0..<36, using: &random)
      }
      let exact = numbers.reduce(0, +)
      let store = try storage.makeStore(Measure.self)
      try store.commit { draft in
        for (id, number) in numbers.enumerated() {
          try draft.insert(Measure(id: id, value: Double(number) * 0x1p-30))
        }
      }
      expectEqual(try store.sum(of: Query<Measure>()) { $0.value }, Double(exact) * 0x1p-30)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: no value is computed of an object beyond the limit`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.commit { draft in
      try draft.insert(contentsOf: [ann, bob])
      try draft.insert(Car(id: 1, model: "Volvo", year: 5, owner: Ref(ann)))
      // Their sum is too large.
      for id in 2...3 { try draft.insert(Car(id: id, model: "Tesla", year: .max, owner: Ref(bob))) }
    }
    let first = Query<Person>().limit(1)
    #expect(try store.sum(of: first) { $0.cars.sum { $0.year } } == 5)
    // A database may compute what it selects before it sorts.
    let byName = Query<Person>().sorted { [$0.name.ascending] }.limit(1)
    #expect(try store.sum(of: byName) { $0.cars.sum { $0.year } } == 5)
    // A database can't sort by this order.
    let natural = Query<Person>().sorted { [$0.name.ascending.natural] }.limit(1)
    #expect(try store.sum(of: natural) { $0.cars.sum { $0.year } } == 5)
    try store.commit { draft in
      try draft.insert(Person(id: 3, name: "Cid"))
      let sum = try draft.sum(of: first) { $0.cars.sum { $0.year } }
      #expect(sum == 5)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: no sum is made of an object that another condition leaves out`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeGarage()
    try store.commit { draft in
      try draft.insert(contentsOf: [ann, bob])
      try draft.insert(Car(id: 1, model: "Volvo", year: 5, owner: Ref(ann)))
      // Their sum is too large.
      for id in 2...3 { try draft.insert(Car(id: id, model: "Tesla", year: .max, owner: Ref(bob))) }
    }
    let people = Query<Person>()
    let queries: [Query<Person>] = [
      // SQL can say the second condition.
      people.filter {
        $0.cars.sum { $0.year } > 0
        $0.cars.count == 1
      },
      // It can't say it, and the object alone decides it.
      people.filter {
        $0.cars.sum { $0.year } > 0
        $0.name.lowercased == "ann"
      },
      people.filter {
        $0.cars.average { $0.year } > 0
        $0.cars.max { $0.model.lowercased } == "volvo"
      },
      people.filter { $0.cars.sum { $0.year } > 0 }.filter { $0.cars.count == 1 },
      // A conjunction within another one.
      people.filter {
        $0.cars.sum { $0.year } > 0
        $0.cars.count == 1
      }.filter { $0.id > 0 },
      people.filter {
        $0.id > 0
        $0.cars.sum { $0.year } > 0 && $0.cars.count == 1
      },
    ]
    for (index, query) in queries.enumerated() {
      #expect(try store.fetch(query).map(\.id) == [1], "\(query)")
      #expect(try store.count(query) == 1, "\(query)")
      let drafted = try store.commit { draft in
        try draft.update(Person.self, 1) { $0.age = index }
        return try draft.fetch(query).map(\.id)
      }
      #expect(drafted == [1], "\(query)")
    }
    let both = people.filter {
      $0.cars.sum { $0.year } > 0
      $0.cars.count == 2
    }
    #expect(throws: StoreError.overflow(entity: "Car")) { try store.fetch(both) }
  }
}
