@_spi(Storage) internal import EntityStore
internal import Foundation

/// The parts that are the same in each line of an entity.
struct JSONLineShape {
  let start: [UInt8]
  let keys: [[UInt8]]
  let partKeys: [[[UInt8]]]

  init(_ entity: EntityDescription) {
    start = Array(#"{"entity":"#.utf8) + Self.quoted(entity.name) + Array(#","values":{"#.utf8)
    keys = Self.keys(entity.columns.map(\.name))
    partKeys = entity.columns.map { Self.keys($0.partsOfID.map(\.name)) }
  }

  private static func keys(_ names: [String]) -> [[UInt8]] {
    names.enumerated().map { index, name in
      (index == 0 ? [] : [UInt8(ascii: ",")]) + quoted(name) + [UInt8(ascii: ":")]
    }
  }

  private static func quoted(_ name: String) -> [UInt8] {
    var writer = JSONLineWriter()
    writer.text(name)
    return writer.bytes
  }
}
