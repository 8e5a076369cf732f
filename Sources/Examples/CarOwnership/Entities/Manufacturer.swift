/// A manufacturer of cars.
struct Manufacturer: Hashable, Identifiable, Sendable {
  let id: ModelID
  var name: String
  var ranking: Int
}
