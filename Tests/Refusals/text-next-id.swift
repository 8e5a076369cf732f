import EntityStore

struct Tag: Entity {
  let id: String
  static let attributes = Attributes(.id(\Tag.id))
  static let schema = Schema(attributes, Tag.init)
}

try fleet().commit { draft in try draft.insert(Tag(id: draft.nextID(Tag.self))) }
