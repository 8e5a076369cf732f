/// How a terminal shows emphasis: by escape sequences, or not at all.
struct Style {
  enum Attribute: String {
    case plain = "39"
    case bold = "1"
    case dim = "2"
    case inverse = "7"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  /// Whether it paints at all; <https://no-color.org> asks for a way to say no.
  var isColored: Bool

  func paint(_ text: String, _ attributes: Attribute?...) -> String {
    let codes = attributes.compactMap { $0?.rawValue }
    guard isColored, !codes.isEmpty else { return text }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
