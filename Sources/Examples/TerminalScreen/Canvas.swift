/// The content of a screen.
///
/// It is compared with new rows, so that only rows that differ are written.
///
///     var canvas = Canvas(size: ScreenSize(columns: 80, rows: 24), isColored: true)
///     let update = canvas.update(to: rows)
///     write(update.text)
///     print(update.rowsWritten)
///
/// It writes nothing itself, so a test can examine the text to write.
package struct Canvas {
  /// The text to write, and the number of rows in it.
  package struct Update: Hashable, Sendable {
    package var text: String
    package var rowsWritten: Int
  }

  package private(set) var size: ScreenSize
  package let isColored: Bool
  /// The rows on the screen, or nil if the content of a row is unknown.
  private var shown: [StyledRow?]

  package init(size: ScreenSize, isColored: Bool) {
    self.size = size
    self.isColored = isColored
    shown = Array(repeating: nil, count: size.rows)
  }

  /// Marks the whole screen as unknown, with a new size.
  ///
  /// All of it has to be written.
  package mutating func invalidate(size: ScreenSize) {
    self = Canvas(size: size, isColored: isColored)
  }

  /// Replaces the rows.
  ///
  /// Rows that don't fit are omitted, and missing rows are empty.
  ///
  /// - Complexity: O(*r*) comparisons, where *r* is the number of the screen's rows, and text for
  ///   those that differ.
  package mutating func update(to rows: [StyledRow]) -> Update {
    var update = Update(text: "", rowsWritten: 0)
    for index in 0..<size.rows {
      let row = index < rows.count ? rows[index] : StyledRow()
      guard shown[index] != row else { continue }
      shown[index] = row
      update.rowsWritten += 1
      update.text +=
        "\u{1B}[\(index + 1);1H" + row.rendered(columns: size.columns, isColored: isColored)
    }
    return update
  }
}
