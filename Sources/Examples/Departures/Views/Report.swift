import DeparturesModel
import TerminalScreen

/// The figures of a run, for people and for scripts.
///
/// Each has one line, with the name first.
struct Report {
  var day: String
  var clock: String
  /// For each status, the number of flights on the board at the end.
  var onBoard: [Status: Int]
  /// For each status, the number of flights that have had it since the board opened.
  var soFar: [Status: Int]
  /// True if the import was a commit of this run.
  var imported: Bool
  var ticks: Int
  var events: Int
  var changes: ChangeCounts
  /// The check sum of the board at the end.
  var fingerprint: Fingerprint
  /// The number of verified commits, or nil without verification.
  var verified: Int?
  /// The time that the commits took, including verification, or nil if it wasn't measured.
  var duration: Duration?
  /// The largest amount of memory that the process has used, in megabytes, if the system reports
  /// it.
  var memory: Int?

  var lines: [String] {
    var lines = ["board        \(day) \(clock)"]
    lines.append("status       board  so far")
    for status in Status.allCases {
      lines.append(
        column(status.rawValue) + right(onBoard[status] ?? 0, 5) + right(soFar[status] ?? 0, 8))
    }
    let total = onBoard.values.reduce(0, +)
    lines.append(column("all") + right(total, 5) + right(soFar[.scheduled] ?? 0, 8))
    lines.append(column("commits") + "\(ticks)\(imported ? ", after the import" : "")")
    lines.append(column("events") + "\(events)")
    lines.append(column("rows") + "\(changes.rows)")
    lines.append(column("sections") + "\(changes.sections)")
    lines.append(column("check sum") + "\(fingerprint)")
    if let verified { lines.append(column("verified") + "\(verified) commits") }
    if let duration {
      let seconds =
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
      let rate = seconds > 0 ? Int(Double(ticks) / seconds) : 0
      lines.append(
        column("time") + "\(Double(Int(seconds * 10)) / 10) s, \(rate) commits a second")
    }
    if let memory { lines.append(column("memory") + "\(memory) MB at most") }
    return lines
  }

  private func column(_ name: String) -> String { fitted(name, to: 13) }

  private func right(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
