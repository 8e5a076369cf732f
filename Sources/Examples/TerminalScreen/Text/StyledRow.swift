/// A row of a screen: pieces of text, each in its style.
///
///     let row: StyledRow = [Span(" Ann ", .inverse), Span("Beetle, 94,000 km")]
///
/// It doesn't depend on the width of the screen. A ``Canvas`` cuts it.
package struct StyledRow: Hashable, Sendable {
  /// A piece of text in one style.
  package struct Span: Hashable, Sendable {
    package var text: String
    package var style: TextStyle

    package init(_ text: String, _ style: TextStyle = .plain) {
      self.text = text
      self.style = style
    }
  }

  package var spans: [Span]
  /// The style of the columns after the text.
  package var rest: TextStyle

  package init(_ spans: [Span], rest: TextStyle = .plain) {
    self.spans = spans
    self.rest = rest
  }

  /// Creates a row in one style, from edge to edge.
  package init(_ text: String = "", _ style: TextStyle = .plain) {
    self.init([Span(text, style)], rest: style)
  }

  /// The text without styles.
  package var text: String { spans.map(\.text).joined() }

  /// The row with inverse and plain exchanged.
  ///
  /// The chosen row of a list is shown like this.
  package var inverted: StyledRow {
    var row = self
    for index in row.spans.indices { row.spans[index].style.isInverse.toggle() }
    row.rest.isInverse.toggle()
    return row
  }

  /// Returns the text that shows the row on a terminal with this number of columns.
  ///
  /// The style is plain before and after it.
  func rendered(columns: Int, isColored: Bool) -> String {
    var text = ""
    var left = columns
    for span in spans where left > 0 {
      let whole = harmless(span.text)
      let piece = truncated(whole, to: left)
      text += painted(piece, span.style, isColored)
      left -= piece.columns
      // After a cut, a column may remain if a wide character didn't fit.
      if piece.utf8.count < whole.utf8.count { break }
    }
    if left > 0, rest != .plain {
      text += painted(String(repeating: " ", count: left), rest, isColored)
      left = 0
    }
    return left > 0 ? text + "\u{1B}[K" : text
  }

  private func painted(_ text: String, _ style: TextStyle, _ isColored: Bool) -> String {
    let sequence = style.sequence(isColored: isColored)
    return sequence.isEmpty || text.isEmpty ? text : sequence + text + "\u{1B}[0m"
  }
}

package typealias Span = StyledRow.Span
