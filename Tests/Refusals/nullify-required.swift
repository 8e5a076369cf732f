import EntityStore

struct Dog: Entity {
  let id: Int
  var owner: Ref<Person>
  static let attributes = Attributes(.id(\Dog.id), .one("owner", \.owner, onDelete: .nullify))
  static let schema = Schema(attributes, Dog.init)
}
