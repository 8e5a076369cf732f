import Signalbox

/// A car as it is stored.
///
/// The objects that it refers to have separate rows.
struct CarRecord: Entity {
  let id: ModelID
  var model: String
  var mileage: Int
  var owner: Ref<Person>?
  var manufacturer: Ref<Manufacturer>?
  /// The name of the table, for tools that open the file.
  static var entityName: String { "Car" }
  static let attributes = Attributes(
    .id(\CarRecord.id), .attribute("model", \.model), .attribute("mileage", \.mileage, default: 0),
    .one("owner", \.owner, inverse: \.cars, onDelete: .nullify),
    .one("manufacturer", \.manufacturer, inverse: \.models, onDelete: .nullify))
  static let schema = Schema(
    attributes, CarRecord.init,
    rules: [.check("the mileage is not below zero") { $0.mileage >= 0 }])
}

extension Person {
  var cars: Many<Person, CarRecord> { Many(\.owner) }
}

extension Manufacturer {
  var models: Many<Manufacturer, CarRecord> { Many(\.manufacturer) }
}
