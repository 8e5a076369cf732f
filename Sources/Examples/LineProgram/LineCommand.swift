/// A line that a user wrote: a command, and what follows it.
///
///     var line = LineCommand("edit 12 I mean tea")
///     line.name  // "edit"
///     try line.number("message")  // 12
///     try line.text("the new text")  // "I mean tea"
package struct LineCommand {
  package let name: String
  /// The part of the line that hasn't been read.
  package private(set) var rest: Substring

  package init(_ line: String) {
    var rest = line.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    name = Self.takeWord(&rest).lowercased()
    self.rest = rest
  }

  package var isEmpty: Bool { name.isEmpty }

  /// Returns the next word, or nil at the end.
  package mutating func word() -> String? {
    let word = Self.takeWord(&rest)
    return word.isEmpty ? nil : word
  }

  /// Returns the next word as the number of an object.
  ///
  /// - Parameter kind: The kind of the object, for the message.
  /// - Returns: The number.
  /// - Throws: An ``InputError`` if the word is missing or isn't a number.
  package mutating func number(_ kind: String) throws(InputError) -> Int {
    guard let word = word() else { throw missing("the number of a \(kind)") }
    guard let number = Int(word) else {
      throw InputError("\"\(word)\" is no number; write the number of a \(kind) after \"\(name)\"")
    }
    return number
  }

  /// Returns the rest of the line, which mustn't be empty.
  ///
  /// - Parameter kind: The kind of text, for the message.
  /// - Returns: The text.
  /// - Throws: An ``InputError`` if the line has ended.
  package mutating func text(_ kind: String) throws(InputError) -> String {
    guard !rest.isEmpty else { throw missing(kind) }
    defer { rest = "" }
    return String(rest)
  }

  /// Checks that the line has ended.
  package func end() throws(InputError) {
    guard rest.isEmpty else { throw InputError("Leave out \"\(rest)\" after \"\(name)\"") }
  }

  private func missing(_ kind: String) -> InputError {
    InputError("\"\(name)\" lacks something; write \(kind) there, or look at \"help\"")
  }

  private static func takeWord(_ text: inout Substring) -> String {
    let word = text.prefix { !$0.isWhitespace }
    text = text[word.endIndex...].drop(while: \.isWhitespace)
    return String(word)
  }
}
