public import Signalbox

/// A carrier.
public struct Airline: Entity {
  /// Its code, such as `UA`.
  public let id: String
  /// The name.
  public var name: String

  /// The attributes, in the order of the initialiser.
  public static let attributes = Attributes(.id(\Airline.id), .attribute("name", \.name))
  /// The schema.
  public static let schema = Schema(
    attributes, Airline.init,
    rules: [
      .check("the name has 1 to 80 characters, and not only spaces") {
        // A character may have any number of marks, so Unicode scalars are counted.
        AirlineRecord.nameLengths.contains($0.name.unicodeScalars.count)
          && !$0.name.allSatisfy(\.isWhitespace)
      }
    ])
}

extension Airline {
  /// Creates the object of a row of the tables.
  public init(_ record: AirlineRecord) {
    self.init(id: record.code, name: record.name)
  }
}
