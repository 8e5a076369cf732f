import EntityStore

struct Dog: Entity {
  let id: Int
  var name: String
  var age: Int
  static let attributes = Attributes(
    .id(\Dog.id), .attribute("age", \.age), .attribute("name", \.name))
  static let schema = Schema(attributes, Dog.init)
}
