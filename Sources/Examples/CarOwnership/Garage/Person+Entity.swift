import Signalbox

extension Day: Storable {}

extension Person: Entity {
  /// Two people may have one name, but not the birthdate besides: that is how an import knows them.
  static let attributes = Attributes(
    .id(\Person.id), .attribute("name", \.name), .attribute("birthdate", \.birthdate))
  static let schema = Schema(attributes, Person.init, rules: [.unique(\.name, \.birthdate)])
}
