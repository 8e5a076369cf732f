@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

@Suite struct `A predicate becomes the same condition as one in braces` {
  private func expectEqual(
    _ predicate: Predicate<Item>,
    sourceLocation: SourceLocation = #_sourceLocation,
    @Condition<Item>.Builder _ condition: (Row<Item, Item>) -> Condition<Item>
  ) throws {
    let (found, expected) = (try Query<Item>().filter(predicate), Query<Item>().filter(condition))
    #expect(found.description == expected.description, sourceLocation: sourceLocation)
  }

  @Test func `so that it is looked up, said in SQL and equal to it`() throws {
    try expectEqual(#Predicate { $0.name == "a" }) { $0.name == "a" }
    try expectEqual(#Predicate { "a" == $0.name }) { $0.name == "a" }
    try expectEqual(#Predicate { 3 < $0.year }) { $0.year > 3 }
    try expectEqual(#Predicate { 3 >= $0.year }) { $0.year <= 3 }
    try expectEqual(#Predicate { $0.note == nil }) { $0.note == nil }
    try expectEqual(#Predicate { !($0.note == nil) }) { $0.note != nil }
    try expectEqual(#Predicate { $0.name == "a" && $0.year > 3 && $0.isOpen }) {
      $0.name == "a"
      $0.year > 3
      $0.isOpen
    }
    try expectEqual(#Predicate { $0.name.starts(with: "a") }) { $0.name.hasPrefix("a") }
    try expectEqual(#Predicate { $0.name.contains("a") }) { $0.name.contains("a") }
    try expectEqual(#Predicate { (1...3).contains($0.year) }) { $0.year.in(1...3) }
    try expectEqual(#Predicate { if let size = $0.size { size > 3 } else { false } }) {
      $0.size != nil
      $0.size > 3
    }
    try expectEqual(#Predicate { $0.price > 10 }) { $0.price > 10 }
  }

  @Test func `and equal sets make equal queries`() throws {
    let numbers = Array(0..<100)
    let (set, other) = (Set(numbers), Set(numbers.reversed()))
    var third = Set<Int>(minimumCapacity: 10_000)
    third.formUnion(numbers)
    let big = third
    let query = try Query<Item>().filter(#Predicate { set.contains($0.year) })
    for set in [other, big] {
      let twin = try Query<Item>().filter(#Predicate { set.contains($0.year) })
      #expect(twin.description == query.description)
    }
    let nothing = [Double.nan, 1, .nan]
    #expect(
      try Query<Item>().filter(#Predicate { nothing.contains($0.weight) }).description
        == Query<Item>().filter { $0.weight == 1 }.description)
    #expect(
      try Query<Item>().filter(#Predicate { numbers.contains($0.year) }).description
        == query.description)
  }

  @Test func `It joins the conditions that the query has`() throws {
    let store = try TestStorage.memory.makeStore(of: items)
    let query = try Query<Item>().filter { $0.year > 1 }.filter(#Predicate { $0.isOpen })
      .filter(#Predicate { $0.note != nil })
    #expect(
      try store.fetch(query).map(\.id)
        == items.filter { $0.year > 1 && $0.isOpen && $0.note != nil }.map(\.id))
  }

  @Test func `Nothing is equal to NaN, and decimal numbers come after it`() throws {
    let (double, float, decimal) = (Double.nan, Float.nan, Decimal.nan)
    let (two, one) = (2.0, Decimal(1))
    for storage in TestStorage.allCases {
      try PredicateOracle(storage).check([
        #Predicate { $0.weight == double }, #Predicate { $0.weight != double },
        #Predicate { $0.weight < double }, #Predicate { $0.weight >= double },
        #Predicate { $0.ratio == float }, #Predicate { $0.ratio != float },
        #Predicate { [double, 2].contains($0.weight) },
        #Predicate { $0.price == decimal }, #Predicate { $0.price != decimal },
        #Predicate { $0.price < decimal }, #Predicate { $0.price >= decimal },
        #Predicate { decimal <= $0.price }, #Predicate { (decimal...9).contains($0.price) },
        #Predicate { _ in decimal < one }, #Predicate { _ in decimal <= one },
        #Predicate { _ in decimal > one }, #Predicate { _ in one < decimal },
        #Predicate { _ in one >= decimal }, #Predicate { _ in double < two },
        #Predicate { _ in two >= double },
      ])
    }
  }
}

@Suite struct `Text differs from Foundation's where a character isn't one scalar` {
  /// What Foundation takes as equal, the store doesn't.
  private func found(_ text: String, _ predicate: Predicate<Item>) throws -> [Bool] {
    let item = Item(id: 1, name: text)
    return try [predicate.evaluate(item)]
      + TestStorage.allCases.map {
        try $0.makeStore(of: [item]).count(Query<Item>().filter(predicate)) == 1
      }
  }

  @Test func `One scalar isn't two that look the same`() throws {
    let twin = "e\u{301}"
    #expect(try found("é", #Predicate { $0.name == twin }) == [true, false, false])
    #expect(try found("é", #Predicate { $0.name != twin }) == [false, true, true])
    #expect(try found("\u{212A}", #Predicate { $0.name == "K" }) == [true, false, false])
    #expect(try found("é", #Predicate { [twin].contains($0.name) }) == [true, false, false])
    #expect(try found("é", #Predicate { $0.name.contains(twin) }) == [true, false, false])
  }

  @Test func `Order is that of bytes`() throws {
    #expect(try found("e\u{301}", #Predicate { $0.name < "f" }) == [false, true, true])
  }

  @Test func `A scalar is found inside a character`() throws {
    #expect(try found("e\u{301}", #Predicate { $0.name.contains("e") }) == [false, true, true])
    #expect(try found("a\r\nb", #Predicate { $0.name.contains("\n") }) == [false, true, true])
    #expect(try found("e\u{301}", #Predicate { $0.name.starts(with: "e") }) == [false, true, true])
  }
}
