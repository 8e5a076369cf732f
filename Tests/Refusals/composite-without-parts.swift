import EntityStore

struct Seat: Entity {
  struct ID: CompositeID {
    var train: Int
    var number: Int
  }
  let id: ID
  static let attributes = Attributes(.id(\Seat.id))
  static let schema = Schema(attributes, Seat.init)
}
