package import EntityStore

/// A stop of a train, whose id has two parts.
package struct Halt: Entity {
  package struct ID: CompositeID {
    package var train: Int
    package var number: Int

    package init(train: Int, number: Int) {
      self.train = train
      self.number = number
    }
  }

  package let id: ID
  package var name: String

  package init(id: ID, name: String) {
    self.id = id
    self.name = name
  }

  package static let attributes = Attributes(
    .id(\Halt.id, ID.init, .part("train", \.train), .part("number", \.number)),
    .attribute("name", \.name))
  package static let schema = Schema(attributes, Halt.init)
}

/// A stop in the same table, with the parts of its id in another order.
package struct TurnedHalt: Entity {
  package struct ID: CompositeID {
    package var number: Int
    package var train: Int

    package init(number: Int, train: Int) {
      self.number = number
      self.train = train
    }
  }

  package let id: ID
  package var name: String

  package init(id: ID, name: String) {
    self.id = id
    self.name = name
  }

  package static let entityName = "Halt"
  package static let attributes = Attributes(
    .id(\TurnedHalt.id, ID.init, .part("number", \.number), .part("train", \.train)),
    .attribute("name", \.name))
  package static let schema = Schema(attributes, TurnedHalt.init)
}
