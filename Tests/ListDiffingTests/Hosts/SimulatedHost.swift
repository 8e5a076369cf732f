import ListDiffing

/// A list view in place of one of Apple's: it keeps what it has drawn, and follows published rules.
///
/// It is given the data as they are after each pass, and draws from them only what its original
/// would draw: what is inserted and what is reloaded. All else keeps the content it was last drawn
/// with.
protocol SimulatedHost {
  /// Draws a whole list.
  init(showing list: [Section])

  /// What is on the screen, as it was last drawn.
  var drawn: [Section] { get }

  /// Carries out a pass, or refuses it and stays as it is.
  mutating func carryOut(_ pass: ListPresentation.Pass, data: [Section]) throws(HostViolation)

  /// Draws rows and headers anew.
  mutating func reload(rows: [ListPath], headers: [Int], data: [Section]) throws(HostViolation)
}

extension SimulatedHost {
  /// Throws unless all that is drawn is what the data have, in its newest version.
  func verifyDrawn(_ data: [Section]) throws(HostViolation) {
    let drawn = drawn
    guard drawn != data else { return }
    try drawn.verifyPlaces(data)
    for (section, (shown, data)) in zip(drawn, data).enumerated() where shown != data {
      guard shown.header == data.header else {
        throw .staleHeader(section: section, shown: shown.header, data: data.header)
      }
      for (row, (shown, data)) in zip(shown.rows, data.rows).enumerated() where shown != data {
        throw .staleRow(path(section, row), shown: shown, data: data)
      }
    }
  }
}

extension [Section] {
  /// Throws unless each section and each row is where the data have it, in whatever version.
  func verifyPlaces(_ data: [Section]) throws(HostViolation) {
    guard count == data.count else { throw .sectionCount(shown: count, data: data.count) }
    for section in indices {
      let (shown, data) = (self[section], data[section])
      guard shown.header.id == data.header.id else {
        throw .anotherHeader(section: section, shown: shown.header, data: data.header)
      }
      guard shown.rows.count == data.rows.count else {
        throw .rowCount(section: section, shown: shown.rows.count, data: data.rows.count)
      }
      for row in shown.rows.indices where shown.rows[row].id != data.rows[row].id {
        throw .anotherRow(path(section, row), shown: shown.rows[row], data: data.rows[row])
      }
    }
  }

  /// Draws rows and headers anew where they are, none of them twice.
  mutating func redraw(
    rows: [ListPath], headers: [Int], data: [Section]
  ) throws(HostViolation) {
    try verifyPlaces(data)
    var taken = TakenPositions(.current, in: self)
    for section in headers {
      try taken.takeHeader(section)
      self[section].header = data[section].header
    }
    for path in rows {
      try taken.take(path)
      self[path.section].rows[path.row] = data[path]
    }
  }
}
