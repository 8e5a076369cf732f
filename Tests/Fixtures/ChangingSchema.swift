@_spi(Storage) package import EntityStore
package import Foundation
package import Locking
package import TestSupport

/// An entity whose schema is another one each time: up to four attributes of different kinds.
package struct Changing: Entity {
  package let id: Int
  package var text = ""
  package var note: String? = nil
  package var whole = 0
  package var number: Int? = nil

  package init(
    id: Int, text: String = "", note: String? = nil, whole: Int = 0, number: Int? = nil
  ) {
    self.id = id
    self.text = text
    self.note = note
    self.whole = whole
    self.number = number
  }

  /// A lock for tests that change the schema.
  package static let lock = NSLock()
  package static let current = Locked(plain)
  package static var schema: Schema<Changing> { current.withLock { $0 } }
  private static let plain = Schema(Attributes(.id(\Changing.id)), { Changing(id: $0) })
}

/// What a schema says of an attribute, and how a file has it.
package struct Trait: Sendable {
  /// 0 for text, 1 for text or nil, 2 for a number, 3 for a number or nil.
  package let kind: Int
  package let name: String
  package let former: String
  package let hasDefault: Bool
  package let isUnique: Bool
  package let isIndexed: Bool

  package var isOptional: Bool { kind % 2 == 1 }
  package var isText: Bool { kind < 2 }
  /// What a row has that has no value, as SQL writes it.
  package var fill: String? { isOptional ? "NULL" : hasDefault ? (isText ? "'d''f'" : "7") : nil }
}

package struct ChangingSchema: Sendable {
  package static let names = ["a", "B", "say \"x\" 🚗", "order"]
  package var traits: [Trait]
  package var dropped: [String]

  package init(using generator: inout SeededGenerator) {
    let names = Self.names.shuffled(using: &generator)
    let kinds = (0..<4).shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
    var formers = Self.names.shuffled(using: &generator)
    traits = zip(kinds, names).map { kind, name in
      var former = "never \(kind)"
      if generator.chance(0.4), let last = formers.last(where: { $0 != name }) {
        former = last
        formers.removeAll { $0 == last }
      }
      return Trait(
        kind: kind, name: name, former: former, hasDefault: generator.chance(0.7),
        isUnique: generator.chance(0.2), isIndexed: generator.chance(0.3))
    }.sorted { $0.kind < $1.kind }
    let used = traits.map(\.name)
    dropped = Self.names.filter { [generator.chance(0.6)] == [true] && !used.contains($0) }
  }

  private var rules: [Rule<Changing>] {
    var rules = dropped.map { Rule<Changing>.dropped($0) }
    for trait in traits {
      for isUnique in [true, false] where isUnique ? trait.isUnique : trait.isIndexed {
        switch trait.kind {
        case 0: rules.append(isUnique ? .unique(\.text) : .index(\.text))
        case 1: rules.append(isUnique ? .unique(\.note) : .index(\.note))
        case 2: rules.append(isUnique ? .unique(\.whole) : .index(\.whole))
        default: rules.append(isUnique ? .unique(\.number) : .index(\.number))
        }
      }
    }
    return rules
  }

  /// The schema, for a pack of each length.
  package var schema: Schema<Changing> {
    func text(_ trait: Trait) -> Attribute<Changing, String> {
      .attribute(
        trait.name, \.text, default: trait.hasDefault ? "d'f" : nil, renamedFrom: trait.former)
    }
    func note(_ trait: Trait) -> Attribute<Changing, String?> {
      .attribute(trait.name, \.note, renamedFrom: trait.former)
    }
    func whole(_ trait: Trait) -> Attribute<Changing, Int> {
      .attribute(
        trait.name, \.whole, default: trait.hasDefault ? 7 : nil, renamedFrom: trait.former)
    }
    func number(_ trait: Trait) -> Attribute<Changing, Int?> {
      .attribute(trait.name, \.number, renamedFrom: trait.former)
    }
    let id = Attribute<Changing, Int>.id(\.id)
    let t = traits
    switch t.map(\.kind) {
    case [0]:
      return Schema(Attributes(id, text(t[0])), { Changing(id: $0, text: $1) }, rules: rules)
    case [1]:
      return Schema(Attributes(id, note(t[0])), { Changing(id: $0, note: $1) }, rules: rules)
    case [2]:
      return Schema(Attributes(id, whole(t[0])), { Changing(id: $0, whole: $1) }, rules: rules)
    case [3]:
      return Schema(Attributes(id, number(t[0])), { Changing(id: $0, number: $1) }, rules: rules)
    case [0, 1]:
      return Schema(
        Attributes(id, text(t[0]), note(t[1])), { Changing(id: $0, text: $1, note: $2) },
        rules: rules)
    case [0, 2]:
      return Schema(
        Attributes(id, text(t[0]), whole(t[1])), { Changing(id: $0, text: $1, whole: $2) },
        rules: rules)
    case [0, 3]:
      return Schema(
        Attributes(id, text(t[0]), number(t[1])), { Changing(id: $0, text: $1, number: $2) },
        rules: rules)
    case [1, 2]:
      return Schema(
        Attributes(id, note(t[0]), whole(t[1])), { Changing(id: $0, note: $1, whole: $2) },
        rules: rules)
    case [1, 3]:
      return Schema(
        Attributes(id, note(t[0]), number(t[1])), { Changing(id: $0, note: $1, number: $2) },
        rules: rules)
    case [2, 3]:
      return Schema(
        Attributes(id, whole(t[0]), number(t[1])), { Changing(id: $0, whole: $1, number: $2) },
        rules: rules)
    case [0, 1, 2]:
      return Schema(
        Attributes(id, text(t[0]), note(t[1]), whole(t[2])),
        { Changing(id: $0, text: $1, note: $2, whole: $3) }, rules: rules)
    case [0, 1, 3]:
      return Schema(
        Attributes(id, text(t[0]), note(t[1]), number(t[2])),
        { Changing(id: $0, text: $1, note: $2, number: $3) }, rules: rules)
    case [0, 2, 3]:
      return Schema(
        Attributes(id, text(t[0]), whole(t[1]), number(t[2])),
        { Changing(id: $0, text: $1, whole: $2, number: $3) }, rules: rules)
    case [1, 2, 3]:
      return Schema(
        Attributes(id, note(t[0]), whole(t[1]), number(t[2])),
        { Changing(id: $0, note: $1, whole: $2, number: $3) }, rules: rules)
    default: return Schema(Attributes(id), { Changing(id: $0) }, rules: rules)
    }
  }

  /// Opens a storage with the schema.
  ///
  /// Only one thread at a time may use the entity.
  package func open(_ storage: some Storage) throws -> EntityDescription {
    let schema = schema
    Changing.current.withLock { $0 = schema }
    _ = try storage.open([schema.entity])
    return schema.entity
  }
}
