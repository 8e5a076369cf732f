/// A car, which has a manufacturer.
struct Car: Hashable, Identifiable, Sendable {
  let id: ModelID
  var model: String
  /// In kilometres.
  var mileage: Int
  var manufacturer: Manufacturer
}
