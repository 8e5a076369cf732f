import EntityStore

struct Dog: Entity {
  let id: Int
  var marks: [Int]
  static let attributes = Attributes(.id(\Dog.id), .attribute("marks", \.marks))
  static let schema = Schema(attributes, Dog.init)
}
