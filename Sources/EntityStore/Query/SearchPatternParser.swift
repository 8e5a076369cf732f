/// A parser of patterns, by recursive descent.
///
///     pattern = part {"OR" part}
///     part = item {["AND"] item}
///     item = term {"NOT" term}
///     term = "(" pattern ")" | phrase ["*"]
struct SearchPatternParser {
  static let mostPhrases = 100
  static let mostWords = 1000
  static let deepest = 10

  private enum Token: Equatable {
    case open
    case close
    case star
    case quoted(String)
    case bare(String)
  }

  private var rest: Substring.UnicodeScalarView
  private var next: Token?
  private var phrases = 0
  private var words = 0

  init(_ text: String) { rest = text[...].unicodeScalars }

  static func isOperator(_ word: String) -> Bool { ["OR", "AND", "NOT"].contains(word) }

  mutating func parse() throws(SearchPattern.SyntaxError) -> SearchPattern.Node {
    try advance()
    if next == nil { return .all }
    let node = try pattern(depth: 0)
    if next != nil { throw unexpected }
    return node
  }

  // MARK: Grammar

  private mutating func pattern(depth: Int) throws(SearchPattern.SyntaxError) -> SearchPattern.Node
  {
    var parts = [try part(depth: depth)]
    while next == .bare("OR") {
      try advance()
      parts.append(try part(depth: depth))
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func part(depth: Int) throws(SearchPattern.SyntaxError) -> SearchPattern.Node {
    var items = [try item(depth: depth)]
    while let token = next, token != .close, token != .bare("OR") {
      if token == .bare("AND") { try advance() }
      items.append(try item(depth: depth))
    }
    return .all(of: items)
  }

  private mutating func item(depth: Int) throws(SearchPattern.SyntaxError) -> SearchPattern.Node {
    var node = try term(depth: depth)
    while next == .bare("NOT") {
      try advance()
      node = .not(node, try term(depth: depth))
    }
    return node
  }

  private mutating func term(depth: Int) throws(SearchPattern.SyntaxError) -> SearchPattern.Node {
    switch next {
    case .open:
      if depth == Self.deepest { throw .tooLarge }
      try advance()
      let node = try pattern(depth: depth + 1)
      guard next == .close else { throw next == nil ? .openParenthesis : unexpected }
      try advance()
      return node
    case .quoted(let text): return try phrase(text)
    case .bare(let text) where !Self.isOperator(text): return try phrase(text)
    default: throw unexpected
    }
  }

  private mutating func phrase(_ text: String) throws(SearchPattern.SyntaxError)
    -> SearchPattern.Node
  {
    phrases += 1
    if phrases > Self.mostPhrases { throw .tooLarge }
    try advance()
    let isPrefix = next == .star
    if isPrefix { try advance() }
    guard let phrase = SearchPhrase(text, isPrefix: isPrefix) else { throw .noWord(text) }
    words += phrase.words.count
    if words > Self.mostWords { throw .tooLarge }
    return .phrase(phrase)
  }

  private var unexpected: SearchPattern.SyntaxError {
    switch next {
    case nil: .unexpected("")
    case .open: .unexpected("(")
    case .close: .unexpected(")")
    case .star: .unexpected("*")
    case .quoted(let text), .bare(let text): .unexpected(text)
    }
  }

  // MARK: Tokens

  private mutating func advance() throws(SearchPattern.SyntaxError) {
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    guard let first = rest.first else { return next = nil }
    switch first {
    case "(", ")", "*":
      rest.removeFirst()
      next = first == "(" ? .open : first == ")" ? .close : .star
    case "\"":
      rest.removeFirst()
      guard let end = rest.firstIndex(of: "\"") else { throw .openQuote }
      next = .quoted(String(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    default:
      let end = rest.firstIndex {
        $0.properties.isWhitespace || "()\"*".unicodeScalars.contains($0)
      }
      next = .bare(String(rest[..<(end ?? rest.endIndex)]))
      rest = rest[(end ?? rest.endIndex)...]
    }
  }
}
