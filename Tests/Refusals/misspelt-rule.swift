import EntityStore

struct Dog: Entity {
  let id: Int
  var year: Int
  static let attributes = Attributes(.id(\Dog.id), .attribute("year", \.year))
  static let schema = Schema(attributes, Dog.init, rules: [.index(\.yaer)])
}
