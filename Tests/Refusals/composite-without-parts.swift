import EntityStore

struct Seat: Entity {
  struct ID: CompositeID {
    var train: Int
    var number: Int
  }
  let id: ID
  static let schema = Schema(Seat.init, .id(\.id))
}
