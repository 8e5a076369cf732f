import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct `Folding of diacritics` {
  private static let foldings: [TextFolding] = [.diacritics, [.case, .diacritics]]
  private let folding = TextFolding.diacritics

  private func fold(_ text: String) -> String {
    String(decoding: folding.fold(text), as: UTF8.self)
  }

  @Test(
    arguments: [
      ("Zoë", "Zoe"), ("ÀÉÎÕÜÇ", "AEIOUC"), ("e\u{301}\u{327}", "e"), ("\u{301}", ""),
      ("ǖ", "u"), ("Ệ", "E"), ("ΐ", "ι"), ("Й", "И"), ("\u{212B}", "A"), ("\u{2126}", "Ω"),
      ("שָׁלוֹם", "שלום"), ("आ\u{93C}", "आ"), ("が", "か"), ("\u{9CB}", "\u{9C7}\u{9BE}"),
      ("\u{CCB}", "\u{CC6}\u{CC2}\u{CD5}"), ("\u{DDD}", "\u{DD9}\u{DCF}"), ("\u{F900}", "豈"),
      ("\u{37E}", ";"), ("\u{1FEF}", "`"), ("\u{226E}", "<"), ("a\u{20DD}", "a\u{20DD}"),
      ("ø", "ø"), ("ł", "ł"), ("ß", "ß"), ("ﬁ", "ﬁ"), ("½", "½"), ("가각힣", "가각힣"),
      ("\u{105C9}", "\u{105D2}"), ("\u{16128}", "\u{1611E}\u{1611E}\u{16120}"), ("\u{302E}", ""),
      ("\u{1D165}", ""), ("\0é", "\0e"), ("😀", "😀"), ("\u{2FA1D}", "\u{2A600}"),
    ])
  func `leaves these`(_ text: String, _ base: String) {
    #expect(folding.fold(text) == bytes(base))
  }

  /// Foundation may be behind the table, as the one of Swift 6.3 on Linux is.
  @Test func `leaves what has no combining class of every scalar's canonical decomposition`() {
    withEveryScalar { scalar in
      guard let age = scalar.properties.age, age.major < 16 else { return }
      guard !(0xAC00..<0xD7A4).contains(scalar.value) else { return }
      let parts = CanonicalTwins.decomposed(String(scalar)).unicodeScalars
      let bases = parts.filter { $0.properties.canonicalCombiningClass == .notReordered }
      expectEqual(folding.fold(String(scalar)), bytes(String(bases)), scalar.label)
    }
  }

  @Test func `leaves nothing of what has a combining class, and of three signs made of such`() {
    withEveryScalar { scalar in
      guard let age = scalar.properties.age, age.major <= 17 else { return }
      let isMark = scalar.properties.canonicalCombiningClass != .notReordered
      let isPair = ["\u{F73}", "\u{F75}", "\u{F81}"].contains(scalar)
      expectEqual(folding.fold(String(scalar)).isEmpty, isMark || isPair, scalar.label)
    }
  }

  @Test func `is of the same data on every platform`() {
    var others = 0
    var bases = 0
    withEveryScalar { scalar in
      let folded = Array(BaseTable.shared.bases(of: scalar))
      if folded != [scalar] { others += 1 }
      bases += folded.count
    }
    #expect(others == 3_045)
    #expect(bases - (0x110000 - 2_048) == 67 + 2 * 5 - 971)
  }

  @Test func `leaves the same of texts that are canonically equivalent`() {
    // A dictionary's keys are equal where texts are equivalent.
    for folding in Self.foldings {
      var foldings: [String: [UInt8]] = [:]
      var count = 0
      withEvery("text", in: sequences(of: CanonicalTwins.parts, upTo: 3)) { parts in
        let text = parts.joined()
        let folded = folding.fold(text)
        if let known = foldings.updateValue(folded, forKey: text) {
          expectEqual(folded, known)
          count += 1
        }
      }
      #expect(count > 1_000)
    }
  }

  @Test func `leaves the same of a text composed and decomposed`() {
    var generator = SeededGenerator(number: 1)
    withEvery("text", in: (0..<3_000).map { _ in CanonicalTwins.random(&generator) }) { text in
      for folding in Self.foldings {
        let folded = folding.fold(text)
        expectEqual(folding.fold(CanonicalTwins.composed(text)), folded, "Composed")
        expectEqual(folding.fold(CanonicalTwins.decomposed(text)), folded, "Decomposed")
      }
    }
  }

  @Test func `makes whole syllables of Korean letters, and of nothing else`() {
    var syllables: [String: String] = [:]
    for number in UInt32(0xAC00)..<0xD7A4 {
      guard let syllable = Unicode.Scalar(number) else { continue }
      syllables[String(syllable)] = String(syllable)
    }
    #expect(syllables.count == 11_172)
    withEvery("syllable", in: syllables.keys) { syllable in
      expectEqual(folding.fold(syllable), bytes(syllable))
      expectEqual(folding.fold(CanonicalTwins.decomposed(syllable)), bytes(syllable))
    }
    func text(_ number: UInt32) -> String { Unicode.Scalar(number).map { String($0) } ?? "" }
    let firsts: [Range<UInt32>] = [0x10F0..<0x1200, 0xABF0..<0xAC50, 0xD770..<0xD7B0]
    withEvery("first", in: firsts.joined().map(text)) { first in
      for second in (UInt32(0x10F0)..<0x1200).map(text) + ["가"] {
        let pair = first + second
        // The key is equal where the pair is equivalent to a syllable.
        expectEqual(fold(pair).utf8.map { $0 }, bytes(syllables[pair] ?? pair), pair)
      }
    }
    #expect(folding.fold("\u{1100}\u{301}\u{1161}\u{11A8}\u{11A8}") == bytes("각\u{11A8}"))
  }

  @Test func `reads no other words than those of the table`() async {
    await #expect(processExitsWith: .failure) { _ = BaseTable("@C0 4X") }
  }

  @Test func `keeps up to three scalars in one word`() async {
    let scalars: [Unicode.Scalar] = ["\0", "\u{1}", "A", "\u{FFFF}", "\u{10FFFF}"]
    withEvery("scalars", in: sequences(of: scalars, upTo: 3)) { scalars in
      let triple = ScalarTriple(scalars)
      expectEqual(Array(triple), scalars)
      expectEqual(triple.isEmpty, scalars.isEmpty)
    }
    await #expect(processExitsWith: .failure) { _ = ScalarTriple(["a", "b", "c", "d"]) }
  }
}
