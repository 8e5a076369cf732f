extension SearchPattern {
  /// A reason why a text is no ``SearchPattern``.
  ///
  /// A search field that takes any text uses `SearchPattern(words:)`, which never fails.
  public enum SyntaxError: Error, Hashable, Sendable {
    /// A quotation mark has no partner.
    case openQuote
    /// A parenthesis has no partner.
    case openParenthesis
    /// A word or sign can't stand where it stands: an operator without a word beside it, a `)`, or
    /// a `*` without a word before it. It is empty if the text ends too early.
    case unexpected(String)
    /// A part has no letter or digit.
    case noWord(String)
    /// The pattern has more than 100 phrases or 1,000 words, or parentheses that are nested more
    /// than 10 deep.
    case tooLarge
  }
}

extension SearchPattern.SyntaxError: CustomStringConvertible {
  /// A sentence that describes what is wrong and what to do.
  public var description: String {
    switch self {
    case .openQuote: "a quotation mark has no partner; close the phrase with \""
    case .openParenthesis: "a parenthesis has no partner; close it with )"
    case .unexpected(""): "it ends too early; write words on both sides of OR, AND and NOT"
    case .unexpected(let word):
      "\"\(word.harmless(atMost: WordLimit.value))\" can't stand there; write words on both sides of OR, AND and NOT, and * "
        + "behind a word"
    case .noWord(let part):
      "\"\(part.harmless(atMost: WordLimit.value))\" has no letter or digit; leave it out"
    case .tooLarge:
      "it has more than \(SearchPatternParser.mostPhrases) phrases or \(SearchPatternParser.mostWords) words, or its parentheses are nested more "
        + "than \(SearchPatternParser.deepest) deep; search for less"
    }
  }
}
