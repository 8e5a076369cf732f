import Signalbox

extension Day: Storable {}

extension Person: Entity {
  /// Two people may have one name, but not the birthdate besides: that is how an import knows them.
  static let schema = Schema(
    Person.init,
    .id(\.id), .attribute("name", \.name), .attribute("birthdate", \.birthdate),
    rules: [.unique(\.name, \.birthdate)])
}
