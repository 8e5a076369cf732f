import EntityStore

struct Weight: Sendable { var grams: Int }
struct Dog: Entity {
  let id: Int
  var weight: Weight
  static let attributes = Attributes(.id(\Dog.id), .attribute("weight", \.weight))
  static let schema = Schema(attributes, Dog.init)
}
