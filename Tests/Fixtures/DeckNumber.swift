package import EntityStore

/// An id that has parts, and can be stored as one value, too.
package struct DeckNumber: CompositeID, Comparable {
  package var deck: Int
  package var number: Int

  package init(deck: Int, number: Int) {
    self.deck = deck
    self.number = number
  }

  package static func < (a: DeckNumber, b: DeckNumber) -> Bool {
    (a.deck, a.number) < (b.deck, b.number)
  }
}

extension DeckNumber: Storable {
  package static var storedType: StoredType { .integer }
  package var storedValue: StoredValue { (deck * 100 + number).storedValue }

  package init(storedValue: StoredValue) throws {
    let whole = try Int(storedValue: storedValue)
    self.init(deck: whole / 100, number: whole % 100)
  }
}
