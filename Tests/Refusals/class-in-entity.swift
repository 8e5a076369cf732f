import EntityStore

final class Bag { var items = 0 }
struct Dog: Entity {
  let id: Int
  var bag: Bag
  static let schema = Schema(Dog.init, .id(\.id))
}
