/// The figures of a run, for people and for scripts: a line for each, the name first.
struct Report {
  var day: String
  var clock: String
  /// For each status the flights on the board at the end.
  var onBoard: [Status: Int]
  /// For each status the flights that have had it since the board opened.
  var soFar: [Status: Int]
  /// Whether the import was a commit of this run.
  var imported: Bool
  var ticks: Int
  var events: Int
  var changes: ChangeCounts
  /// The sum over the board at the end.
  var fingerprint: Fingerprint
  /// The commits that were verified, or nil if none was to be.
  var verified: Int?

  var lines: [String] {
    var lines = ["board        \(day) \(clock)"]
    lines.append("status       board  so far")
    for status in Status.allCases {
      lines.append(
        column(status.rawValue) + right(onBoard[status] ?? 0, 5) + right(soFar[status] ?? 0, 8))
    }
    let total = onBoard.values.reduce(0, +)
    lines.append(column("all") + right(total, 5) + right(soFar[.scheduled] ?? 0, 8))
    let commits = ticks + (imported ? 1 : 0)
    lines.append(
      column("commits") + "\(commits): \(imported ? "1 import, " : "")\(ticks) of the day")
    lines.append(column("events") + "\(events)")
    lines.append(column("rows") + "\(changes.rows)")
    lines.append(column("sections") + "\(changes.sections)")
    lines.append(column("check sum") + "\(fingerprint)")
    if let verified { lines.append(column("verified") + "\(verified) commits") }
    return lines
  }

  private func column(_ name: String) -> String { fitted(name, to: 13) }

  private func right(_ number: Int, _ width: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
