import EntityStore

struct Weight: Sendable { var grams: Int }
struct Dog: Entity {
  let id: Int
  var weight: Weight
  static let schema = Schema(Dog.init, .id(\.id), .attribute("weight", \.weight))
}
