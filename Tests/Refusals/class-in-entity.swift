import EntityStore

final class Bag { var items = 0 }
struct Dog: Entity {
  let id: Int
  var bag: Bag
  static let attributes = Attributes(.id(\Dog.id))
  static let schema = Schema(attributes, Dog.init)
}
