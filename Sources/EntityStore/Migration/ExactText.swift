/// A text that is compared by its bytes.
///
/// `String` treats canonically equivalent texts as equal. Two names in a file, or two statements,
/// would then be one key.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: ExactText, b: ExactText) -> Bool { TextBytes.equal(a.text, b.text) }

  package func hash(into hasher: inout Hasher) { TextBytes.hash(text, into: &hasher) }
}
