/// A style of text.
package struct TextStyle: Hashable, Sendable {
  package enum Color: Int, Sendable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  package var color: Color?
  package var isBold = false
  package var isDim = false
  package var isInverse = false

  package init(
    _ color: Color? = nil, bold: Bool = false, dim: Bool = false, inverse: Bool = false
  ) {
    self.color = color
    isBold = bold
    isDim = dim
    isInverse = inverse
  }

  package static let plain = TextStyle()
  package static let bold = TextStyle(bold: true)
  package static let dim = TextStyle(dim: true)
  package static let inverse = TextStyle(inverse: true)

  /// Returns the escape sequence that turns the style on, starting from plain text.
  ///
  /// It is empty for the plain style.
  func sequence(isColored: Bool) -> String {
    var codes: [Int] = []
    if isBold { codes.append(1) }
    if isDim { codes.append(2) }
    if isInverse { codes.append(7) }
    if isColored, let color { codes.append(color.rawValue) }
    if codes.isEmpty { return "" }
    return "\u{1B}[" + codes.map { "\($0)" }.joined(separator: ";") + "m"
  }
}
