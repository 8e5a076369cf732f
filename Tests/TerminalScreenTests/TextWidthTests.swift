import Testing

@testable import TerminalScreen

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("🚗", 2), ("👨‍👩‍👧", 2), ("🇳🇴", 2), ("Å", 1), ("\u{200B}", 0), ("ｱ", 1), ("Ａ", 2), ("→", 1), ("…", 1),
  ])
  func `Text has the columns that a terminal gives it`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("Beetle", 6, "Beetle"), ("Beetle", 5, "Beet…"), ("Beetle", 1, "…"), ("Beetle", 0, ""),
    ("日本車", 6, "日本車"), ("日本車", 5, "日本…"), ("日本車", 4, "日…"), ("日本車", 2, "…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("e\u{301}", 1, "e\u{301}"), ("", 0, ""),
  ])
  func `Text is cut between characters, and says that it was`(
    text: String, columns: Int, cut: String
  ) {
    #expect(truncated(text, to: columns) == cut)
  }

  @Test func `Whatever the text, it has just the columns that it was fitted to`() {
    for text in ["", "a", "日本車", "a日b本", "e\u{301}\u{1B}[2J", "👨‍👩‍👧x", "a\tb\r\nc"] {
      for columns in 0...12 {
        let fit = fitted(text, to: columns)
        #expect(fit.columns == columns, "\(text.debugDescription) to \(columns)")
        #expect(fit.unicodeScalars.allSatisfy { $0.value >= 0x20 })
      }
    }
  }

  @Test func `A name can't move the cursor or turn the line around`() {
    #expect(harmless("a\u{1B}[2J\tb\u{202E}c\u{2028}d") == "a·[2J·b·c·d")
    #expect(harmless("Zoë 👨‍👩‍👧") == "Zoë 👨‍👩‍👧")
  }
}
