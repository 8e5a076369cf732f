/// A line of text that the user is typing.
package struct TextInput: Hashable, Sendable {
  package var text: String

  package init(_ text: String = "") { self.text = text }

  /// Handles a key.
  ///
  /// It returns true if the key edits a line of text.
  package mutating func take(_ key: Key) -> Bool {
    switch key {
    case .character(let character): text.append(character)
    case .backspace: _ = text.popLast()
    case .control("u"): text = ""
    case .control("w"):
      while text.last == " " { text.removeLast() }
      while let last = text.last, last != " " { text.removeLast() }
    default: return false
    }
    return true
  }
}
