import Foundation

/// A picture in SVG, on white so that it reads in light and dark viewers.
struct Canvas {
  private let width: Int
  private let height: Int
  private var elements: [String] = []

  /// Where a text stands relative to its place.
  enum Anchor: String {
    case start, middle, end
  }

  private static let colours = ["#0b5cad", "#b4480f", "#2f7d32", "#7a3fa0"]

  /// An empty picture.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  var svg: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
    viewBox="0 0 \(width) \(height)" font-family="system-ui, 'DejaVu Sans', sans-serif">
    <rect width="\(width)" height="\(height)" fill="#ffffff"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  /// The room a text takes, estimated from its length.
  static func width(of text: String, size: Double) -> Double {
    0.62 * size * Double(text.count)
  }

  /// Adds a text.
  mutating func text(
    _ text: String, x: Double, y: Double, size: Double, weight: Int = 400,
    anchor: Anchor = .start, isUpright: Bool = false
  ) {
    let turn = isUpright ? " transform=\"rotate(-90 \(number(x)) \(number(y)))\"" : ""
    elements.append(
      """
      <text x="\(number(x))" y="\(number(y))" font-size="\(number(size))" \
      font-weight="\(weight)" text-anchor="\(anchor.rawValue)" fill="#1f2328"\(turn)>\
      \(escaped(text))</text>
      """)
  }

  /// Adds a thin straight line, for axes and grids.
  mutating func rule(
    fromX startX: Double, y startY: Double, toX endX: Double, y endY: Double, isStrong: Bool
  ) {
    elements.append(
      """
      <line x1="\(number(startX))" y1="\(number(startY))" x2="\(number(endX))" \
      y2="\(number(endY))" stroke="\(isStrong ? "#57606a" : "#d8dee4")"/>
      """)
  }

  /// Adds the line of a series; all but the first are dashed.
  mutating func line(_ points: [(x: Double, y: Double)], style: Int) {
    let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    let dashes = style == 0 ? "" : " stroke-dasharray=\"6 4\""
    elements.append(
      """
      <polyline points="\(path)" fill="none" stroke="\(colour(style))" \
      stroke-width="2.5"\(dashes)/>
      """)
  }

  /// Adds the mark of a point: a disc in the first series, a square in others.
  mutating func marker(x: Double, y: Double, style: Int) {
    let fill = "fill=\"\(colour(style))\""
    elements.append(
      style == 0
        ? "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"4.5\" \(fill)/>"
        : "<rect x=\"\(number(x - 4))\" y=\"\(number(y - 4))\" width=\"8\" height=\"8\" \(fill)/>")
  }

  /// Adds a bar.
  mutating func bar(x: Double, y: Double, width: Double, height: Double, style: Int) {
    elements.append(
      """
      <rect x="\(number(x))" y="\(number(y))" width="\(number(width))" \
      height="\(number(height))" fill="\(colour(style))"/>
      """)
  }

  private func colour(_ style: Int) -> String { Self.colours[style % Self.colours.count] }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
    return result
  }
}
