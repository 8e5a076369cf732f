// This module has no dependencies, so it can't use `HarmlessText`. It escapes only what breaks a
// line.

/// Returns the printed form of a value, in one line for a log.
///
/// Control characters, line ends and direction marks are written out, as `\n` and `\u{1B}`. A text
/// longer than the limit is cut.
package func oneLine(_ value: some Any, atMost limit: Int = 1000) -> String {
  let scalars = "\(value)".unicodeScalars
  let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex)
  var line = ""
  for scalar in scalars[..<(end ?? scalars.endIndex)] {
    if scalar.isVisible { line.unicodeScalars.append(scalar) } else { line += scalar.writtenOut }
  }
  return end == nil || end == scalars.endIndex ? line : line + "…"
}

extension Unicode.Scalar {
  /// The scalar as Swift writes it in a literal.
  fileprivate var writtenOut: String {
    isASCII ? escaped(asASCII: true) : "\\u{\(String(value, radix: 16, uppercase: true))}"
  }

  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    // These join and separate the characters of emoji and of some scripts.
    case .format: value == 0x200C || value == 0x200D
    default: true
    }
  }
}
