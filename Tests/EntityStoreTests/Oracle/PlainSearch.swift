@testable import EntityStore

/// The meaning of a search pattern in the plainest way: lists of words as texts.
enum PlainSearch {
  /// Returns the words of a text: what is left when all that separates them is taken out.
  static func words(_ text: String) -> [String] {
    let isMark: (Unicode.Scalar) -> Bool = {
      [.nonspacingMark, .spacingMark, .enclosingMark].contains($0.properties.generalCategory)
    }
    let isHidden: (Unicode.Scalar) -> Bool = {
      $0.properties.generalCategory == .format && $0.properties.isDefaultIgnorableCodePoint
        && $0 != "\u{200B}"
    }
    let isWord: (Unicode.Scalar) -> Bool = {
      if isHidden($0) { return true }
      let category = $0.properties.generalCategory
      return $0.properties.isAlphabetic && category != .otherSymbol || isMark($0)
        || $0.properties.numericType != nil && category != .otherSymbol
        || [.modifierLetter, .otherLetter, .otherNumber].contains(category)
    }
    var runs: [String.UnicodeScalarView] = [.init()]
    for scalar in text.unicodeScalars {
      if isWord(scalar) { runs[runs.count - 1].append(scalar) } else { runs.append(.init()) }
    }
    let isLeftOut: (Unicode.Scalar) -> Bool = {
      isWord($0)
        && ($0.properties.isDefaultIgnorableCodePoint
          || $0.properties.generalCategory == .enclosingMark)
    }
    return runs.filter { run in run.contains { !isMark($0) && !isLeftOut($0) } }.map { run in
      let shown = run.filter { !isLeftOut($0) }
      let folded = TextFolding([.case, .diacritics]).fold(String(shown))
      // Whole scalars, and no more than 256 bytes of them.
      var word = ""
      for scalar in String(decoding: folded, as: UTF8.self).unicodeScalars {
        if word.utf8.count + String(scalar).utf8.count > 256 { break }
        word.unicodeScalars.append(scalar)
      }
      return word
    }.filter { !$0.isEmpty }
  }

  static func holds(_ node: SearchPattern.Node, _ values: [StoredValue]) -> Bool {
    let texts = values.compactMap { if case .text(let text) = $0 { words(text) } else { nil } }
    return holds(node, texts)
  }

  static func holds(_ node: SearchPattern.Node, _ texts: [[String]]) -> Bool {
    switch node {
    case .all: true
    case .and(let parts): !parts.map { holds($0, texts) }.contains(false)
    case .or(let parts): parts.map { holds($0, texts) }.contains(true)
    case .not(let a, let b): holds(a, texts) ? !holds(b, texts) : false
    case .phrase(let phrase):
      // As texts: " a b c " contains " b c ", or " b c" for a prefix.
      texts.contains { words in
        let sought = phrase.words.map { String(decoding: $0, as: UTF8.self) }
        let part = " " + sought.joined(separator: " ") + (phrase.isPrefix ? "" : " ")
        let whole = " " + words.joined(separator: " ") + " "
        return Array(whole.utf8).indices.contains {
          Array(whole.utf8)[$0...].starts(with: Array(part.utf8))
        }
      }
    }
  }
}
