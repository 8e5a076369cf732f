import EntityStore

struct Dog: Entity {
  let id: Int
  var name: String
  static let schema = Schema(
    Dog.init, .id(\.id), .attribute("name", \.name), rules: [.required(\.name)])
}
