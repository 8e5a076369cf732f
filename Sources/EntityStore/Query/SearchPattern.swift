internal import Locking

/// A pattern of words to search for in texts.
///
///     Query<Note>().matching("tea gard*")
///     Query<Note>().filter { $0.title.matches("\"green tea\" NOT milk") }
///     Query<Note>().matching(SearchPattern(words: searchField.text))
///
/// A pattern has words, which all have to occur in any order:
/// - `gard*` is any word that starts with "gard".
/// - `"green tea"` is these words, one after another. `"green te"*` ends with the start of a word.
/// - `tea OR coffee`: one is enough. `tea NOT milk`: the first and not the second. `AND` may stand
///   between words, too. `NOT` binds most strongly, and then `AND`. Parentheses group.
///
/// Operators are in capitals. Case, accents, other marks and signs that aren't shown are ignored.
/// Everything else but letters and digits separates words. So "don't" is the phrase "don t". A
/// pattern without words matches every text.
public struct SearchPattern: Hashable, Sendable {
  package indirect enum Node: Hashable, Sendable {
    /// Matches everything.
    case all
    case phrase(SearchPhrase)
    case and([Node])
    case or([Node])
    case not(Node, Node)
  }

  package let node: Node

  package init(node: Node) { self.node = node }

  /// Creates the pattern that a text describes.
  ///
  ///     let pattern = try SearchPattern(parsing: "tea OR \"green coffee\"")
  ///
  /// - Throws: ``SyntaxError`` if the text isn't a pattern.
  public init(parsing text: String) throws(SearchPattern.SyntaxError) {
    var parser = SearchPatternParser(text)
    node = try parser.parse()
  }

  /// Creates the pattern of all words of a text, for the text of a search field.
  ///
  ///     SearchPattern(words: "green te")  // green te*
  ///
  /// Quotes and operators have no meaning, so every text is a pattern. Of more than
  /// 100 words the first 100 count.
  ///
  /// - Parameters:
  ///   - text: the words.
  ///   - lastIsPrefix: true if the last word may be the start of a longer one, because somebody is
  ///     still writing it.
  public init(words text: String, lastIsPrefix: Bool = true) {
    let words = FoldedWords(text)
    let count = min(words.count, SearchPatternParser.mostPhrases)
    let phrases = (0..<count).map { index in
      Node.phrase(
        SearchPhrase(
          words: [Array(words[index])], isPrefix: lastIsPrefix && index == words.count - 1))
    }
    node = .all(of: phrases)
  }

  /// True if the pattern has no words, so that it matches every text.
  public var isEmpty: Bool { node == .all }

  /// Returns true if the pattern matches the words of some texts.
  ///
  /// A phrase has to occur within one text.
  package func matches(_ texts: [String]) -> Bool {
    Self.matches(node, texts.map(FoldedWords.init))
  }

  private static func matches(_ node: Node, _ texts: [FoldedWords]) -> Bool {
    switch node {
    case .all: true
    case .phrase(let phrase): texts.contains { phrase.occurs(in: $0) }
    case .and(let parts): parts.allSatisfy { matches($0, texts) }
    case .or(let parts): parts.contains { matches($0, texts) }
    case .not(let part, let other): matches(part, texts) && !matches(other, texts)
    }
  }
}

extension SearchPattern.Node {
  /// Returns the node that all nodes match.
  static func all(of nodes: [Self]) -> Self {
    nodes.isEmpty ? .all : nodes.count == 1 ? nodes[0] : .and(nodes)
  }

  /// The phrases that a text may contain if it matches; those after NOT aren't among them.
  package var phrases: [SearchPhrase] {
    switch self {
    case .all: []
    case .phrase(let phrase): [phrase]
    case .and(let parts), .or(let parts): parts.flatMap(\.phrases)
    case .not(let part, _): part.phrases
    }
  }
}

extension SearchPattern: ExpressibleByStringLiteral {
  /// Creates the pattern that a literal describes.
  ///
  /// - Precondition: it is a pattern. For a text from elsewhere use `init(parsing:)`, which throws.
  public init(stringLiteral text: String) {
    do {
      self = try SearchPattern(parsing: text)
    } catch {
      mistake("\(text.harmless(atMost: WordLimit.value)) is no search pattern: \(error)")
    }
  }
}

extension SearchPattern: CustomStringConvertible {
  /// The pattern with its words folded, such as `tea gard*`.
  public var description: String { node.written(and: " ", \.description) }
}

extension SearchPattern.Node {
  /// Returns the text of the node, with parentheses only where they are needed.
  ///
  /// So a text is nested no deeper than the one from which the node was made. `sign` stands between
  /// parts that are all needed.
  package func written(and sign: String, _ phrase: (SearchPhrase) -> String) -> String {
    written(sign, phrase, within: 0)
  }

  /// Returns the text within an operator of a strength; a weaker one gets parentheses.
  private func written(
    _ sign: String, _ phrase: (SearchPhrase) -> String, within outer: Int
  ) -> String {
    func text(_ part: Self, _ strength: Int) -> String {
      part.written(sign, phrase, within: strength)
    }
    let (written, own): (String, Int)
    switch self {
    case .all: return ""
    case .phrase(let one): return phrase(one)
    case .or(let parts): (written, own) = (parts.map { text($0, 1) }.joined(separator: " OR "), 0)
    case .and(let parts): (written, own) = (parts.map { text($0, 2) }.joined(separator: sign), 1)
    case .not(let part, let other):
      (written, own) = (text(part, 2) + " NOT " + text(other, 3), 2)
    }
    return own < outer ? "(\(written))" : written
  }
}
