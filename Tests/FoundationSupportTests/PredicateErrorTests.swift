@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

/// Its id has parts.
private struct Seat: Entity {
  struct ID: CompositeID, Codable {
    var train: Int
    var number: Int
    var isFirst: Bool { number == 1 }
  }
  let id: ID
  var tags: StoredAsJSON<[String]>
  static let attributes = Attributes(
    .id(\Seat.id, ID.init, .part("train", \.train), .part("number", \.number)),
    .attribute("tags", \.tags))
  static let schema = Schema(attributes, Seat.init)
}

@Suite struct `A predicate without an equivalent is refused with an alternative` {
  private func expectRefused<E: Entity>(
    _ predicate: Predicate<E>, _ part: String, _ advice: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let query = try Query<E>().filter(predicate)
      Issue.record("\(query.description)", sourceLocation: sourceLocation)
    } catch {
      #expect(error.part == part, sourceLocation: sourceLocation)
      #expect(error.entity == E.entityName, sourceLocation: sourceLocation)
      #expect(
        advice.isEmpty || error.advice.contains(advice), "\(error)", sourceLocation: sourceLocation)
      #expect(
        error.description
          == "A query for \(error.entity) has no equivalent of \(part); \(error.advice)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func `Arithmetic on attributes`() {
    let part = "arithmetic on attributes"
    expectRefused(#Predicate<Item> { $0.year * 2 > 3 }, part, "condition in braces")
    expectRefused(#Predicate<Item> { -$0.year > 3 }, part)
    expectRefused(#Predicate<Item> { $0.year / 2 == 3 || $0.isOpen }, part)
    expectRefused(#Predicate<Item> { $0.year % 2 == 1 }, part)
    expectRefused(#Predicate<Item> { $0.weight / 2 == 1 }, part)
    let numbers = [1, 2]
    expectRefused(#Predicate<Item> { item in numbers.contains { $0 + item.year == 3 } }, part)
  }

  @Test func `A property that is no attribute, and a part of one`() {
    expectRefused(
      #Predicate<Item> { $0.title == "" }, "a computed String of Item", "the schema lists")
    expectRefused(
      #Predicate<Item> { $0.name.count == 3 }, "a computed Int of String", "isEmpty")
    expectRefused(
      #Predicate<Item> { $0.fuel.rawValue == "petrol" }, "a computed String of Fuel",
      "compare the attribute itself")
    expectRefused(
      #Predicate<Item> { $0.address?.city == "x" }, "\\Address.city",
      "an attribute of its own")
    expectRefused(
      #Predicate<Seat> { $0.id.isFirst }, "a computed Bool of ID",
      "an attribute of its own")
    expectRefused(
      #Predicate<Seat> { $0.tags.value.isEmpty },
      "\\StoredAsJSON<Array<String>>.value", "an attribute of its own")
  }

  @Test func `An order that isn't that of the stored forms`() {
    let (medium, sizes) = (Size.medium, Size.small...Size.medium)
    expectRefused(
      #Predicate<Item> { ($0.grade ?? medium) < medium }, "the < of Size", "filter { ")
    expectRefused(
      #Predicate<Item> { sizes.contains($0.grade ?? medium) }, "the < of Size")
    expectRefused(
      #Predicate<Item> { (medium...medium).contains($0.grade ?? medium) }, "the < of Size")
  }

  @Test func `An unwrapping that may fail`() {
    let part = "an ! on what may be nil"
    expectRefused(#Predicate<Item> { $0.note! == "a" }, part, "if let")
    expectRefused(#Predicate<Item> { $0.size != nil && $0.note! == "a" }, part)
    expectRefused(#Predicate<Item> { $0.size != nil || $0.size! > 1 }, part)
    expectRefused(#Predicate<Item> { $0.size! > 1 && $0.size != nil }, part)
    expectRefused(#Predicate<Item> { ($0.size != nil || $0.isOpen) && $0.size! > 1 }, part)
    expectRefused(#Predicate<Item> { !($0.size == nil && $0.isOpen) && $0.size! > 1 }, part)
    expectRefused(#Predicate<Item> { $0.size == nil ? $0.size! > 1 : $0.isOpen }, part)
  }

  @Test func `A search in an attribute that isn't text`() {
    let (data, word) = (Data([0]), "a")
    expectRefused(
      #Predicate<Item> { $0.bytes.contains(0) }, "a search in an attribute that is a sequence")
    expectRefused(
      #Predicate<Item> { $0.bytes.starts(with: data) }, "a search in an attribute that isn't text")
    expectRefused(
      #Predicate<Item> { $0.bytes.allSatisfy { $0 == 1 } },
      "a closure about the elements of an attribute")
    expectRefused(
      #Predicate<Seat> { $0.tags.value.contains(word) },
      "\\StoredAsJSON<Array<String>>.value")
  }

  @Test func `Casts, tables, patterns and whatever else there is`() {
    let (table, texts) = (["a": 1], ["a"])
    let cast = Predicate<Item> {
      PredicateExpressions.TypeCheck<_, String>(
        PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name))
    }
    expectRefused(cast, "a cast of an attribute", "the type that it is")
    expectRefused(
      #Predicate<Item> { table[$0.name] == 1 }, "DictionaryKeySubscript on an attribute")
    expectRefused(
      #Predicate<Item> { texts[$0.year] == "a" }, "CollectionIndexSubscript on an attribute")
    expectRefused(#Predicate<Item> { $0.name.contains(/a/) }, "a regular expression")
  }

  @Test func `Parts that only Apple's systems have, by their names`() {
    expectRefused(
      Predicate<Item> { StringLocalizedStandardContains(text: $0) },
      "a comparison of text by locale", "ignoring: [.case, .diacritics]")
    expectRefused(
      Predicate<Item> { PredicateEvaluate(input: $0) }, "a predicate in another", "filter(first)")
  }

  @Test func `The object itself as a value`() {
    expectRefused(
      #Predicate<Keyed> { $0 == $0 }, "the object as a value", "compare its id")
  }

  @Test(arguments: TestStorage.allCases)
  func `A composite id and its parts are compared`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Seat.self)
    let seats = (1...3).flatMap { train in
      (1...3).map { Seat(id: .init(train: train, number: $0), tags: StoredAsJSON([])) }
    }
    try store.commit { draft in for seat in seats { try draft.insert(seat) } }
    let (one, two) = (
      Seat.ID(train: 2, number: 1), [Seat.ID(train: 3, number: 3), .init(train: 1, number: 2)]
    )
    for predicate in [
      #Predicate<Seat> { $0.id.train == 2 && $0.id.number > 1 }, #Predicate { $0.id == one },
      #Predicate { $0.id != one }, #Predicate { two.contains($0.id) },
    ] {
      #expect(
        try store.fetch(Query<Seat>().filter(predicate)).map(\.id)
          == seats.filter { try predicate.evaluate($0) }.map(\.id), "\(predicate)")
    }
  }
}

/// Can be compared as a whole by Foundation.
private struct Keyed: Entity, Codable, Equatable {
  let id: Int
  static let attributes = Attributes(.id(\Keyed.id))
  static let schema = Schema(attributes, Keyed.init)
}

/// Stands for Foundation's own, which only Apple's systems have.
private struct StringLocalizedStandardContains<Text: StandardPredicateExpression>:
  StandardPredicateExpression
{
  var text: Text

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    _ = try text.evaluate(bindings)
    return true
  }
}

/// Stands for Foundation's own, which only Apple's systems have.
private struct PredicateEvaluate<Input: StandardPredicateExpression>: StandardPredicateExpression {
  var input: Input

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    _ = try input.evaluate(bindings)
    return true
  }
}
