internal import EntityStore

/// Text that is equal where its bytes are.
///
/// `String` takes canonically equivalent texts as equal, so two names of a file, or two statements,
/// would be one key.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { TextBytes.equal(a.text, b.text) }

  func hash(into hasher: inout Hasher) { TextBytes.hash(text, into: &hasher) }
}
