import Signalbox

extension Manufacturer: Entity {
  static let attributes = Attributes(
    .id(\Manufacturer.id), .attribute("name", \.name), .attribute("ranking", \.ranking, default: 0))
  static let schema = Schema(attributes, Manufacturer.init, rules: [.unique(\.name)])
}
