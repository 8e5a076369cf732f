import ListDiffing

/// A line of the board, in the words that people read.
struct BoardRow: Hashable, Identifiable, Codable, Sendable {
  var id: Flight.ID
  /// The clock at the scheduled departure.
  var scheduled: String
  /// The clock at the departure as it is known now, which is what the rows are sorted by.
  var estimated: String
  /// Such as `UA 1018`.
  var flight: String
  var airline: String
  var origin: String
  /// The airport's name, or its code where no name is known.
  var destination: String
  /// The aircraft's model, its tail number where no model is known, or nothing.
  var aircraft: String
  var status: Status
}

extension BoardRow: Diffable {}

/// What stands above a section.
struct BoardHeader: Hashable, Sendable {
  /// What tells the section from others: a status, an airport's or a carrier's code.
  var key: String
  var title: String
}

/// The board as a plain list.
typealias Board = [ListSection<BoardHeader, BoardRow>]

extension Board {
  /// The number of its rows.
  var rowCount: Int { reduce(0) { $0 + $1.rows.count } }

  /// How many rows have each status.
  var countsByStatus: [Status: Int] {
    reduce(into: [:]) { counts, section in
      for row in section.rows { counts[row.status, default: 0] += 1 }
    }
  }

  /// A sum over all that the board shows, in its order.
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
  /// Adds a section's title.
  mutating func add(_ header: BoardHeader) { add(header.title) }

  /// Adds all that a row shows.
  mutating func add(_ row: BoardRow) {
    for text in [row.scheduled, row.estimated, row.flight, row.airline, row.origin] { add(text) }
    for text in [row.destination, row.aircraft, row.status.rawValue] { add(text) }
  }
}
