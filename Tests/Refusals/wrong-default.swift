import EntityStore

struct Dog: Entity {
  let id: Int
  var age: Int
  static let attributes = Attributes(.id(\Dog.id), .attribute("age", \.age, default: "one"))
  static let schema = Schema(attributes, Dog.init)
}
