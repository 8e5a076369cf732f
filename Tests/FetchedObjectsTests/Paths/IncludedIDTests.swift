import EntityStore
import FetchedObjects
import ListDiffing
import TestSupport
import Testing

/// An object whose id has parts, and can be stored as one value, too.
private struct Hammock: Entity {
  struct ID: CompositeID, Storable {
    var deck: Int
    var number: Int
  }

  let id: ID
  static let attributes = Attributes(
    .id(\Hammock.id, ID.init(deck:number:), .part("deck", \.deck), .part("number", \.number)))
  static let schema = Schema(attributes, Hammock.init)
}

extension Hammock.ID {
  static var storedType: StoredType { .integer }
  var storedValue: StoredValue { (deck * 100 + number).storedValue }

  init(storedValue: StoredValue) throws {
    let whole = try Int(storedValue: storedValue)
    self.init(deck: whole / 100, number: whole % 100)
  }
}

private struct Deckhand: Entity {
  let id: Int
  var hammock: Ref<Hammock>
  var lastHammock: Hammock.ID
  static let attributes = Attributes(
    .id(\Deckhand.id), .one("hammock", \.hammock), .attribute("lastHammock", \.lastHammock))
  static let schema = Schema(attributes, Deckhand.init)
}

@Suite struct `A whole id that is storable, too, of an included object` {
  @Test func `F5: it is read from its parts`() throws {
    let store = try Store(.inMemory, entities: [Hammock.self, Deckhand.self])
    let (one, other) = (Hammock.ID(deck: 1, number: 2), Hammock.ID(deck: 3, number: 4))
    try store.commit { draft in
      try draft.insert(Hammock(id: one))
      try draft.insert(Deckhand(id: 1, hammock: Ref(one), lastHammock: other))
    }
    let model = try FetchedObjectsModel(Query<Deckhand>().including { $0.hammock }, in: store)
    let row = model.snapshot[ListPath(section: 0, row: 0)]
    #expect(row.hammock?.id == one && row.lastHammock == other)
  }
}
