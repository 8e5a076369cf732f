internal import EntityStore

extension Character {
  /// The number of columns of the character on a terminal: 0, 1 or 2.
  ///
  /// It is the width of the widest scalar, so a letter with marks is as wide as the letter.
  package var columns: Int { unicodeScalars.reduce(0) { max($0, $1.columns) } }
}

extension StringProtocol {
  /// The number of columns of the text on a terminal.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Unicode.Scalar {
  /// The number of columns, as in the terminals' `wcwidth`, by East Asian Width (Unicode's annex
  /// 11).
  var columns: Int {
    if value < 0x7F { return value < 0x20 ? 0 : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control: return 0
    case .format: return value == 0xAD ? 1 : 0
    default: break
    }
    if value < 0x1100 { return 1 }
    if properties.isEmojiPresentation { return 2 }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// The wide scalars that aren't emoji, in order.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // the first parts of Hangul syllables
    0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
  ]
}

/// Returns the text with at most this number of columns, cut with an ellipsis.
///
/// It also applies ``harmless(_:)``.
package func truncated(_ text: String, to columns: Int) -> String {
  let text = harmless(text)
  var used = 0
  var end = text.startIndex  // the last position where an ellipsis fits
  for index in text.indices {
    if used < columns { end = index }
    used += text[index].columns
    if used > columns { return columns < 1 ? "" : text[..<end] + "…" }
  }
  return text
}

/// Returns the text with `·` for characters that would move the cursor or change the terminal's
/// state, such as a tab or an escape sequence.
package func harmless(_ text: String) -> String {
  text.allSatisfy(\.isHarmless) ? text : String(text.map { $0.isHarmless ? $0 : "·" })
}

/// Returns the text with exactly this number of columns, cut or padded with spaces.
package func fitted(_ text: String, to columns: Int) -> String {
  let text = truncated(text, to: columns)
  return text + String(repeating: " ", count: max(0, columns - text.columns))
}

/// Returns a line for a pipe or standard error.
///
/// Characters that aren't harmless are written out, as `\n` and `\u{1B}`. A line of more than 4,000
/// characters is cut.
package func harmlessLine(_ text: String) -> String { text.harmless(atMost: 4000) }

extension Character {
  fileprivate var isHarmless: Bool { unicodeScalars.allSatisfy(\.isHarmless) }
}
