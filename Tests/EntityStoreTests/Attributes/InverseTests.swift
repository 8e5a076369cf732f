import EntityStore
import TestSupport
import Testing

@Suite struct `An inverse is made from the reference that names it` {
  @Test func `S6: one that is made of another reference traps when the store opens`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Store(.inMemory, entities: [Parent.self, Child.self])
    }
    trap.expectMessage(
      "Child.father names as its inverse a Many<Parent, Child> that is made of Child.mother; make that "
        + "Many of \\Child.father, or name another property as the inverse")
  }

  @Test func `S6: so does one of an entity that no sample is known for, when it is read`()
    async throws
  {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Herd.self, Animal.self])
      try store.commit { try $0.insert(Herd(id: 1, kind: .cows)) }
      _ = try store.fetch(\.animals, of: Ref<Herd>(1))
    }
    trap.expectMessage(
      "Animal.born names as its inverse a Many<Herd, Animal> that is made of Animal.lives")
  }

  @Test func `S6: one that two references name traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Twin.schema
    }
    trap.expectMessage(
      "Twin.first and Twin.second name one inverse, a Many<Parent, Twin>, which is made of one "
        + "reference; give each a Many of its own")
  }

  @Test func `One that is made of its reference, and one that no reference names, are read`() throws
  {
    let store = try Store(.inMemory, entities: [Owner.self, Pet.self, Lone.self])
    try store.commit { draft in
      try draft.insert(Lone(id: 1, other: Ref(1)))
    }
    #expect(try store.fetch(\.others, of: Ref<Lone>(1)).map(\.id) == [1])
  }
}

private struct Parent: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Parent.id))
  static let schema = Schema(attributes, Parent.init)
  var children: Many<Parent, Child> { Many(\.mother) }
}

private struct Child: Entity {
  let id: Int
  var mother: Ref<Parent>?
  var father: Ref<Parent>?
  static let attributes = Attributes(
    .id(\Child.id), .one("mother", \.mother), .one("father", \.father, inverse: \.children))
  static let schema = Schema(attributes, Child.init)
}

private struct Herd: Entity {
  enum Kind: String, Storable { case cows, sheep }
  let id: Int
  var kind: Kind
  static let attributes = Attributes(.id(\Herd.id), .attribute("kind", \.kind))
  static let schema = Schema(attributes, Herd.init)
  var animals: Many<Herd, Animal> { Many(\.lives) { [$0.id.descending] } }
}

private struct Animal: Entity {
  let id: Int
  var born: Ref<Herd>
  var lives: Ref<Herd>
  static let attributes = Attributes(
    .id(\Animal.id), .one("born", \.born, inverse: \.animals), .one("lives", \.lives))
  static let schema = Schema(attributes, Animal.init)
}

private struct Twin: Entity {
  let id: Int
  var first: Ref<Parent>?
  var second: Ref<Parent>?
  static let attributes = Attributes(
    .id(\Twin.id), .one("first", \.first, inverse: \.twins),
    .one("second", \.second, inverse: \.twins))
  static let schema = Schema(attributes, Twin.init)
}

extension Parent {
  fileprivate var twins: Many<Parent, Twin> { Many(\.first) }
}
