import EntityStore

struct Dog: Entity {
  let id: Int
  var name: String
  var age: Int
  static let schema = Schema(
    Dog.init, .id(\.id), .attribute("age", \.age), .attribute("name", \.name))
}
