internal import EntityStore

/// A text that is compared by its bytes.
///
/// `String` treats canonically equivalent texts as equal. Two names in a file, or two statements,
/// would then be one key.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { TextBytes.equal(a.text, b.text) }

  func hash(into hasher: inout Hasher) { TextBytes.hash(text, into: &hasher) }
}
