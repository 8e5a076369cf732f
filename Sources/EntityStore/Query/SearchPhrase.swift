/// Words that have to follow each other in a text.
///
///     tea         // one word
///     "green tea" // two words
///     gard*       // a word that starts with "gard"
package struct SearchPhrase: Hashable, Sendable {
  /// The UTF-8 of the words, folded as `FoldedWords` does it; at least one.
  package let words: [[UInt8]]
  /// True if the last word may be the start of a longer one.
  package let isPrefix: Bool

  /// Creates a phrase of the words of a text, or nil if it has none.
  init?(_ text: String, isPrefix: Bool) {
    let words = FoldedWords(text)
    if words.count == 0 { return nil }
    self.init(words: (0..<words.count).map { Array(words[$0]) }, isPrefix: isPrefix)
  }

  init(words: [[UInt8]], isPrefix: Bool) {
    (self.words, self.isPrefix) = (words, isPrefix)
  }

  func starts(at index: Int, of text: FoldedWords) -> Bool {
    guard index + words.count <= text.count else { return false }
    for (place, word) in words.enumerated() {
      let found = text[index + place]
      let isEqual =
        isPrefix && place == words.count - 1
        ? found.starts(with: word) : found.elementsEqual(word)
      if !isEqual { return false }
    }
    return true
  }

  func occurs(in text: FoldedWords) -> Bool {
    (0..<text.count).contains { starts(at: $0, of: text) }
  }

  /// The phrase in the form in which a pattern has it.
  package var description: String {
    let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    return (words.count == 1 ? text : "\"\(text)\"") + (isPrefix ? "*" : "")
  }
}
