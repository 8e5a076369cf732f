import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct `Folding of text` {
  private static let both: TextFolding = [.case, .diacritics]
  private static let foldings: [TextFolding] = [[], .case, .diacritics, both]

  private func fold(_ folding: TextFolding, _ text: String) -> String {
    String(decoding: folding.fold(text), as: UTF8.self)
  }

  @Test func `without options is the text's own bytes`() {
    #expect(
      TextFolding().fold("É e\u{301} K \u{1100}\u{1161}") == bytes("É e\u{301} K \u{1100}\u{1161}"))
    #expect(TextFolding().fold("") == [])
    #expect(TextFolding(rawValue: 4).fold("ÀA") == bytes("ÀA"))
    #expect(TextFolding(rawValue: 4).fold("A") == bytes("A"))
  }

  @Test func `has an option for each bit`() {
    #expect(TextFolding.case.rawValue == 1)
    #expect(TextFolding.diacritics.rawValue == 2)
    #expect(Self.both.rawValue == 3)
    #expect(Set(Self.foldings).count == 4)
  }

  @Test func `leaves out both where both are asked for`() {
    #expect(fold(Self.both, "İZMİR") == "izmir")
    #expect(fold(Self.both, "ZOË Ñandú ÅNGSTRÖM") == "zoe nandu angstrom")
    #expect(fold(Self.both, "ẞ Ø Ł") == "ss ø ł")
    #expect(fold(.case, "ZOË") == "zoë")
    #expect(fold(.diacritics, "ZOË") == "ZOE")
    #expect(fold(.diacritics, "ᾳ") == "α")
    #expect(fold(Self.both, "ᾳ") == "α")
    #expect(fold(Self.both, "ΑΙ") == "αι")
  }

  @Test func `leaves out case after marks`() {
    withEveryLetter { scalar in
      let base = fold(.diacritics, String(scalar))
      expectEqual(fold(Self.both, String(scalar)), fold(.case, base), scalar.label)
    }
  }

  @Test func `twice is once, for every scalar`() {
    withEveryScalar { scalar in
      let text = String(scalar)
      // What both options leave as it is, each does.
      guard !Self.both.fold(text).elementsEqual(text.utf8) else { return }
      for folding in Self.foldings {
        let once = fold(folding, text)
        expectEqual(folding.fold(once), bytes(once), "\(scalar.label) \(folding)")
      }
    }
  }

  @Test func `twice is once, for random texts`() {
    var generator = SeededGenerator(number: 2)
    withEvery("text", in: (0..<2_000).map { _ in CanonicalTwins.random(&generator) }) { text in
      for folding in Self.foldings {
        let once = fold(folding, text)
        expectEqual(folding.fold(once), bytes(once), "\(folding)")
      }
    }
  }

  @Test func `takes all cases of a scalar as one with both options, but for iota subscript`() {
    var others: Set<Unicode.Scalar> = []
    withEveryLetter { scalar in
      let folded = Self.both.fold(String(scalar))
      let properties = scalar.properties
      if Self.both.fold(properties.lowercaseMapping) != folded
        || Self.both.fold(properties.uppercaseMapping) != folded
        || Self.both.fold(properties.titlecaseMapping) != folded
      {
        others.insert(scalar)
      }
    }
    var subscripts: Set<Unicode.Scalar> = []
    withEveryLetter { scalar in
      if CanonicalTwins.decomposed(String(scalar)).unicodeScalars.contains("\u{345}") {
        subscripts.insert(scalar)
      }
    }
    #expect(subscripts.count > 50)
    #expect(others == subscripts)
  }

  @Test func `of ASCII is what it is beside other text`() {
    let texts = (UInt8(0)..<0x80).map { String(UnicodeScalar($0)) }
    let all = texts.joined()
    for folding in Self.foldings {
      withEvery("text", in: texts + [all, all + all]) { text in
        let expected = folding.contains(.case) ? text.lowercased() : text
        expectEqual(folding.fold(text), bytes(expected))
        expectEqual(folding.fold(text + "語"), bytes(expected + "語"))
        expectEqual(folding.fold("語" + text), bytes("語" + expected))
      }
    }
  }

  @Test func `of foreign storage is that of native text`() {
    withEvery("text", in: ["", "Ab", "Éa\u{301}", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]) { text in
      let substring = String(("<" + text + ">").utf8.dropFirst().dropLast()) ?? ""
      for folding in Self.foldings { expectEqual(folding.fold(substring), folding.fold(text)) }
    }
  }
}
