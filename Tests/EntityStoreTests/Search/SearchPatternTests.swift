@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

@Suite(.oneThread) struct `The words of a text` {
  private func words(_ text: String) -> [String] {
    let words = FoldedWords(text)
    return (0..<words.count).map { String(decoding: words[$0], as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("Zoë's CAFÉ, 2 cups", ["zoe", "s", "cafe", "2", "cups"]), ("", []), ("  -- ", []),
      ("\u{301}", []), ("e\u{301}t", ["et"]), ("straße", ["strasse"]), ("日本 語", ["日本", "語"]),
      ("नमस्ते", ["नमसत"]), ("a\0b", ["a", "b"]), ("4²", ["4²"]), ("🍵tea🍵", ["tea"]),
      ("❤\u{FE0F}", []), ("green ❤\u{FE0F} tea", ["green", "tea"]), ("1\u{FE0F}\u{20E3}", ["1"]),
      ("葛\u{E0100}飾", ["葛飾"]), ("a\u{34F}b", ["ab"]), ("\u{93E}", []), ("\u{3164}", []),
      ("co\u{AD}op", ["coop"]), ("می\u{200C}خواهم", ["میخواهم"]), ("a\u{200B}b", ["a", "b"]),
      ("👩\u{200D}💻", []), ("\u{FEFF}tea", ["tea"]),
    ])
  func `are what stands between signs, folded`(_ text: String, _ expected: [String]) {
    let found = words(text)
    #expect(found == expected || text == "नमस्ते" && found.count == 1)
  }

  @Test func `have only what FTS5 takes for letters, for every scalar`() {
    withEveryScalar { scalar in
      let found = FoldedWords("x" + String(scalar) + "x")
      for index in 0..<found.count {
        for byte in found[index] where byte < 0x80 {
          let isPlain =
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          expectTrue(isPlain, scalar.label)
        }
        expectTrue(!found[index].isEmpty, scalar.label)
      }
    }
  }

  @Test func `have their places in the text`() {
    let text = "Ünder the ￼ tree"
    let words = FoldedWords(text)
    let utf8 = Array(text.utf8)
    #expect(
      words.places.map { String(decoding: utf8[$0], as: UTF8.self) } == ["Ünder", "the", "tree"])
    // A sign that isn't shown belongs to the one before.
    let cup = "☕\u{FE0F}tea\u{FE0F}"
    let place = FoldedWords(cup).places[0]
    #expect(String(decoding: Array(cup.utf8)[place], as: UTF8.self) == "tea\u{FE0F}")
  }
}

@Suite struct `A search pattern` {
  private func holds(_ pattern: String, _ texts: String...) throws -> Bool {
    try SearchPattern(parsing: pattern).matches(texts)
  }

  @Test func `has all words, in any order and text`() throws {
    #expect(try holds("tea garden", "The garden", "of TÉA"))
    #expect(try !holds("tea garden", "tea gardens"))
    #expect(try holds("tea gard*", "tea gardens"))
    #expect(try holds("don't", "I don t"))
    #expect(try !holds("don't", "t don"))
    #expect(try holds("\"green tea\"", "a Green, tea"))
    #expect(try !holds("\"green tea\"", "green", "tea"))
    #expect(try holds("\"green te\"*", "green teas"))
    #expect(try holds("", "anything"))
    #expect(SearchPattern(words: "❤\u{FE0F}").isEmpty)
    #expect(try holds("\"green tea\"", "green ❤\u{FE0F} tea"))
  }

  @Test(
    arguments: [
      ("a b OR c", "(a b) OR c"), ("a OR b c", "a OR (b c)"), ("a NOT b c", "(a NOT b) c"),
      ("a NOT b NOT c", "(a NOT b) NOT c"), ("a AND b OR c", "(a b) OR c"),
      ("((a))", "a"), ("OR* or", "\"or\"* or"), ("a(b)\"c d\"e*", "a b \"c d\" e*"),
      ("a or b", "a or b"), ("  tea\u{A0}milk ", "tea milk"), ("tea * milk", "tea* milk"),
    ])
  func `binds NOT, then AND, then OR`(_ text: String, _ same: String) throws {
    if text == "OR* or" {
      #expect(throws: SearchPattern.SyntaxError.unexpected("OR")) {
        try SearchPattern(parsing: text)
      }
      return
    }
    #expect(try SearchPattern(parsing: text) == SearchPattern(parsing: same))
    let pattern = try SearchPattern(parsing: text)
    #expect(try SearchPattern(parsing: pattern.description) == pattern)
  }

  @Test(
    arguments: [
      ("\"tea", SearchPattern.SyntaxError.openQuote), ("(tea", .openParenthesis),
      ("tea)", .unexpected(")")),
      ("OR tea", .unexpected("OR")), ("tea OR", .unexpected("")),
      ("tea NOT", .unexpected("")), ("NOT tea", .unexpected("NOT")),
      ("tea AND OR milk", .unexpected("OR")), ("* tea", .unexpected("*")),
      ("tea & milk", .noWord("&")), ("\"\"", .noWord("")), ("()", .unexpected(")")),
      ("tea**", .unexpected("*")), (String(repeating: "(", count: 50_000), .tooLarge),
      (String(repeating: "a ", count: 101), .tooLarge),
    ])
  func `that isn't one is an error that says where`(
    _ text: String, _ error: SearchPattern.SyntaxError
  ) {
    #expect(throws: error) { try SearchPattern(parsing: text) }
    #expect(!"\(error)".contains("\n"))
  }

  @Test func `of a search field takes every text`() {
    #expect(SearchPattern(words: "green te") == "green te*")
    #expect(SearchPattern(words: "green te", lastIsPrefix: false) == "green te")
    #expect(SearchPattern(words: "(\"OR* don't & ") == SearchPattern(words: "or don t"))
    #expect(SearchPattern(words: "OR a", lastIsPrefix: false).matches(["a or"]))
    #expect(SearchPattern(words: " ") == "")
    #expect(SearchPattern(words: String(repeating: "a ", count: 200)).matches(["a"]))
  }

  @Test func `shows where it occurs`() throws {
    func shown(_ pattern: SearchPattern, _ text: String) -> [String] {
      pattern.highlights(in: text).map { String(text[$0]) }
    }
    #expect(shown("tea gard*", "Gardens of tea, of TÉA") == ["Gardens", "tea", "TÉA"])
    #expect(shown("\"green tea\" tea", "green tea tea") == ["green tea", "tea"])
    #expect(shown("\"a b\" \"b c\"", "a b c") == ["a b c"])
    #expect(shown("tea NOT milk", "milk tea") == ["tea"])
    #expect(shown("", "tea") == [])
    #expect(shown("et", "e\u{301}t!") == ["e\u{301}t"])
  }

  @Test func `has a snippet with most of its words`() {
    let text = (1...40).map { "w\($0)" }.joined(separator: " ") + " green tea, end."
    let pattern: SearchPattern = "w3 tea green"
    let snippet = pattern.snippet(of: text, words: 8)
    #expect(snippet == "…w36 w37 w38 w39 w40 green tea, end.")
    #expect(pattern.snippet(of: "short tea") == "short tea")
    #expect(("none" as SearchPattern).snippet(of: text, words: 2) == "w1 w2…")
    #expect(
      ("w20" as SearchPattern).snippet(of: text, words: 8) == "…w19 w20 w21 w22 w23 w24 w25 w26…")
  }

  @Test func `has a snippet that shows words at both of its ends`() {
    let text = (0..<40).map { "w\($0)" }.joined(separator: " ")
    func expected(_ words: Range<Int>) -> String {
      "…" + words.map { "w\($0)" }.joined(separator: " ") + "…"
    }
    #expect(("w10 w25" as SearchPattern).snippet(of: text) == expected(10..<26))
    // With room for one word before the first.
    #expect(("w10 w24" as SearchPattern).snippet(of: text) == expected(9..<25))
    #expect(("w10 w26" as SearchPattern).snippet(of: text) == expected(8..<24))
  }

  @Test func `has a snippet with words before its first hit, though a hit is repeated`() {
    var words = (0..<40).map { "w\($0)" }
    (words[10], words[25]) = ("tea", "tea")
    let expected = "…" + words[8..<24].joined(separator: " ") + "…"
    let text = words.joined(separator: " ")
    #expect(("tea" as SearchPattern).snippet(of: text, words: 16) == expected)
    #expect(("tea w20" as SearchPattern).snippet(of: text, words: 16) == expected)
  }

  @Test func `has a snippet with whole phrases`() {
    let text = (0..<40).map { "w\($0)" }.joined(separator: " ")
    let pattern: SearchPattern = "w10 \"w13 w14\" w15"
    #expect(pattern.snippet(of: text, words: 4) == "…w13 w14 w15 w16…")
    let long: SearchPattern = "\"w13 w14 w15\""
    #expect(long.snippet(of: text, words: 2) == "…w13 w14…")
  }
}
