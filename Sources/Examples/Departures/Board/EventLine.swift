import DeparturesModel

/// A line that describes one event, for pipes and logs.
struct EventLine: CustomStringConvertible {
  var clock: String
  var changes: ChangeCounts
  var counts: [Status: Int]

  /// The line, such as `05:30  rows: 3 inserted; sections: none; board: 2 boarding, 40 scheduled`.
  var description: String {
    let board = Status.allCases.compactMap { status in
      counts[status].map { "\($0) \(status.rawValue)" }
    }
    return "\(clock)  rows: \(changes.rows); sections: \(changes.sections); board: "
      + (board.isEmpty ? "empty" : board.joined(separator: ", "))
  }
}
