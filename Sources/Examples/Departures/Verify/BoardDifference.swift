import ListDiffing

/// The first difference between two boards.
struct BoardDifference: CustomStringConvertible {
  /// The position, such as `section 2` or `row 2.0`.
  var place: String
  var expected: String
  var found: String

  /// Creates the difference, or nil if the boards are equal.
  init?(expected: Board, found: Board) {
    for section in 0..<Swift.max(expected.count, found.count) {
      let (one, other) = (expected.element(at: section), found.element(at: section))
      if one?.header != other?.header {
        self.init(place: "section \(section)", one?.header, other?.header)
        return
      }
      let (rows, others) = (one?.rows ?? [], other?.rows ?? [])
      for row in 0..<Swift.max(rows.count, others.count)
      where rows.element(at: row) != others.element(at: row) {
        let path = ListPath(section: section, row: row)
        self.init(place: "row \(path)", rows.element(at: row), others.element(at: row))
        return
      }
    }
    return nil
  }

  private init<Value>(place: String, _ expected: Value?, _ found: Value?) {
    self.place = place
    self.expected = expected.map { "\($0)" } ?? "nothing"
    self.found = found.map { "\($0)" } ?? "nothing"
  }

  var description: String {
    "\(place) should be \(expected), and is \(found)"
  }
}

extension Array {
  fileprivate func element(at index: Int) -> Element? {
    index < count ? self[index] : nil
  }
}
