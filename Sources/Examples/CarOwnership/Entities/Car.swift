/// A car, with its manufacturer.
struct Car: Hashable, Identifiable, Sendable {
  let id: ModelID
  var model: String
  /// The mileage in kilometres.
  var mileage: Int
  var manufacturer: Manufacturer
}
