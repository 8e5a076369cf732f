import DeparturesModel
import ListDiffing

/// A row of the board, as text for the user.
struct BoardRow: Hashable, Identifiable, Codable, Sendable {
  var id: Flight.ID
  /// The time of the scheduled departure.
  var scheduled: String
  /// The time of the estimated departure.
  ///
  /// Rows are sorted by it.
  var estimated: String
  /// The flight, such as `UA 1018`.
  var flight: String
  var airline: String
  var origin: String
  /// The name of the airport, or its code if the name is unknown.
  var destination: String
  /// The model of the aircraft, its tail number if the model is unknown, or an empty text.
  var aircraft: String
  var status: Status
}

extension BoardRow: Diffable {}

/// The header of a section.
struct BoardHeader: Hashable, Sendable {
  /// The key that identifies the section: a status, or the code of an airport or carrier.
  var key: String
  var title: String
}

/// The board as a plain list.
typealias Board = [ListSection<BoardHeader, BoardRow>]

extension Board {
  /// The number of its rows.
  var rowCount: Int { reduce(0) { $0 + $1.rows.count } }

  /// The number of rows for each status.
  var countsByStatus: [Status: Int] {
    reduce(into: [:]) { counts, section in
      for row in section.rows { counts[row.status, default: 0] += 1 }
    }
  }

  /// A check sum of all visible texts of the board, in order.
  var fingerprint: Fingerprint {
    var sum = Fingerprint()
    for section in self {
      sum.add(section.header)
      for row in section.rows { sum.add(row) }
    }
    return sum
  }
}

extension Fingerprint {
  /// Adds the title of a section.
  mutating func add(_ header: BoardHeader) { add(header.title) }

  /// Adds all visible texts of a row.
  mutating func add(_ row: BoardRow) {
    for text in [row.scheduled, row.estimated, row.flight, row.airline, row.origin] { add(text) }
    for text in [row.destination, row.aircraft, row.status.rawValue] { add(text) }
  }
}
