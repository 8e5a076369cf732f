import Signalbox

extension Day: Storable {}

extension Person: Entity {
  /// The attributes.
  ///
  /// Two people may have the same name, but not also the same birthdate. An import identifies
  /// people by both.
  static let attributes = Attributes(
    .id(\Person.id), .attribute("name", \.name), .attribute("birthdate", \.birthdate))
  static let schema = Schema(attributes, Person.init, rules: [.unique(\.name, \.birthdate)])
}
