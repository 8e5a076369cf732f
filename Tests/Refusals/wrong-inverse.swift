import EntityStore

struct Dog: Entity {
  let id: Int
  var owner: Ref<Person>?
  static let schema = Schema(Dog.init, .id(\.id), .one("owner", \.owner, inverse: \.cars))
}
