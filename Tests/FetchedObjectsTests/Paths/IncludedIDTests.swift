import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

/// An object whose id has parts, and can be stored as one value, too.
private struct Hammock: Entity {
  let id: DeckNumber
  static let attributes = Attributes(
    .id(
      \Hammock.id, DeckNumber.init(deck:number:), .part("deck", \.deck), .part("number", \.number)))
  static let schema = Schema(attributes, Hammock.init)
}

private struct Deckhand: Entity {
  let id: Int
  var hammock: Ref<Hammock>
  var lastHammock: DeckNumber
  static let attributes = Attributes(
    .id(\Deckhand.id), .one("hammock", \.hammock), .attribute("lastHammock", \.lastHammock))
  static let schema = Schema(attributes, Deckhand.init)
}

@Suite struct `A whole id that is storable, too, of an included object` {
  @Test func `F5: it is read from its parts`() throws {
    let store = try Store(.inMemory, entities: [Hammock.self, Deckhand.self])
    let (one, other) = (DeckNumber(deck: 1, number: 2), DeckNumber(deck: 3, number: 4))
    try store.commit { draft in
      try draft.insert(Hammock(id: one))
      try draft.insert(Deckhand(id: 1, hammock: Ref(one), lastHammock: other))
    }
    let model = try FetchedObjectsModel(Query<Deckhand>().including { $0.hammock }, in: store)
    let row = model.snapshot[ListPath(section: 0, row: 0)]
    #expect(row.hammock?.id == one && row.lastHammock == other)
  }
}
