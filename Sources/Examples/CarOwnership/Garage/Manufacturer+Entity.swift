import Signalbox

extension Manufacturer: Entity {
  static let schema = Schema(
    Manufacturer.init,
    .id(\.id), .attribute("name", \.name), .attribute("ranking", \.ranking, default: 0),
    rules: [.unique(\.name)])
}
