import Foundation
import TestSupport
import Testing

@testable import ListDiffing

/// Text that is hashed by its bytes has to be in Normalization Form C.
@Suite struct `Composed text` {
  private func isComposed(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { _isComposed($0) }
  }

  /// All scalars but the surrogates.
  private var scalars: [Unicode.Scalar] {
    (0...0x10FFFF).compactMap { Unicode.Scalar($0 as UInt32) }
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `D4 Each accepted scalar is its own composed form, and joins nothing before it`() {
    var count = 0
    for scalar in scalars where isComposed(String(scalar)) {
      count += 1
      let text = String(scalar)
      expectEqual(
        bytes(text.precomposedStringWithCanonicalMapping), bytes(text), "\(scalar.value)")
      expectEqual(scalar.properties.canonicalCombiningClass, .notReordered, "\(scalar.value)")
    }
    // Latin, Greek, Cyrillic, kana, Han and Hangul.
    expectTrue(count > 30_000, "\(count)")
  }

  @Test func `D4 No two accepted scalars combine`() {
    let accepted = scalars.filter { isComposed(String($0)) }
    // Whatever combines with the scalar before it has few kinds of scalars before it.
    let bases = accepted.filter { $0.value < 0x500 } + ["か", "ハ", "가", "각", "漢"].map { $0 }
    withEvery("seed", in: seeds(40)) { seed in
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<2000 {
        var text = ""
        for _ in 0..<Int.random(in: 2...5, using: &generator) {
          let pool = generator.chance(0.5) ? bases : accepted
          text.unicodeScalars.append(pool[Int.random(in: pool.indices, using: &generator)])
        }
        expectTrue(isComposed(text))
        expectEqual(bytes(text.precomposedStringWithCanonicalMapping), bytes(text), text)
      }
    }
  }

  @Test func `D4 A text is accepted if each of its scalars is, wherever they are`() {
    let pools: [[Unicode.Scalar]] = [
      Array("abc Привет".unicodeScalars), Array("éΩя漢か".unicodeScalars),
      ["\u{480}", "\u{45E}", "\u{345}", "\u{212A}", "\u{1F642}", "\u{301}"],
    ]
    withEvery("seed", in: seeds(400)) { seed in
      var generator = SeededGenerator(seed: seed)
      for length in 0..<40 {
        var text = ""
        for _ in 0..<length {
          let pool = pools[generator.chance(0.9) ? 0 : generator.chance(0.7) ? 1 : 2]
          text.unicodeScalars.append(pool[Int.random(in: pool.indices, using: &generator)])
        }
        let each = text.unicodeScalars.allSatisfy { isComposed(String($0)) }
        expectEqual(isComposed(text), each, text)
      }
    }
  }

  @Test func `Text with other forms isn't accepted`() {
    for text in [
      "e\u{301}", "\u{212A}", "\u{37E}", "\u{387}", "か\u{3099}", "\u{1100}\u{1161}", "\u{F900}",
      "\u{958}", "abc\u{340}", "🙂",
    ] {
      expectTrue(!isComposed(text), text)
    }
    for text in ["", "abc", "Grüße", "Привет, мир", "Ελλάδα", "日本語の、かな", "한국어", "„so“ – ja"] {
      expectTrue(isComposed(text), text)
    }
  }
}
