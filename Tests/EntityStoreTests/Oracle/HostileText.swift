import Fixtures
import TestSupport

/// Text on which Swift's equality and order, SQLite's and those of bytes differ or trip.
enum HostileText {
  /// Kelvin and K, composed and decomposed, Hangul that Foundation leaves apart, lone marks, NUL,
  /// a byte order mark, characters beyond the first plane and beyond surrogates' order.
  static let samples = [
    "", "K", "\u{212A}", "Kz", "k", "\u{E9}", "e\u{301}", "\u{301}", "\u{327}\u{301}",
    "\u{301}\u{327}", "\u{AC00}\u{11A8}", "\u{AC01}", nul, "a\(nul)b", "a\(nul)c", "a", "\u{FEFF}a",
    "\u{1F600}", "\u{FF21}", "\u{FFFD}", "\u{10FFFF}", "\"", "\"\u{301}", "'", "''; --", "%", "_",
    "\\", "10", "9", "-0", "1e5", "ﬀ", "ff", "ß", "SS", "\u{1F1E9}\u{1F1EA}", "\r\n", "\n",
    "aaaaaaaa", "aaaaaaaa\u{80}", "aaaaaaaaa", "aaaaaaaZ",
  ]

  static func random(_ generator: inout SeededGenerator) -> String {
    let count = generator.chance(0.8) ? 1 : 2
    return (0..<count).map { _ in samples.randomElement(using: &generator) ?? "" }.joined()
  }
}
