import EntityStore

struct Dog: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Dog.id))
  static let schema = Schema(attributes, Dog.init)
}
