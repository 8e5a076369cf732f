import Foundation
import TestSupport

/// Texts that Unicode takes as equivalent though their bytes differ.
enum CanonicalTwins {
  /// Letters with marks and without, marks above, below and of all kinds, spacing ones too, vowel
  /// signs in parts, Korean letters and syllables, signs that are another's twin.
  static let parts: [String] = [
    "e", "\u{E9}", "\u{301}", "\u{327}", "\u{302E}", "\u{1D165}", "\u{1100}", "\u{1161}",
    "\u{11A8}", "\u{AC00}", "\u{AC01}", "\u{212B}", "\u{C5}", "A", "\u{30A}", "\u{345}", "\u{344}",
    "\u{1FB4}", "\u{3B1}", "\u{1F79}", "\u{9CB}", "\u{9C7}", "\u{9BE}", "\u{F900}", "\u{8C48}",
    "\u{1D15F}", "\u{11099}", "\u{110BA}", "\u{3099}", "\u{304B}", "\u{304C}",
  ]

  static func random(_ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 0...12, using: &generator)
    return (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
  }

  static func decomposed(_ text: String) -> String { text.decomposedStringWithCanonicalMapping }

  static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }
}
