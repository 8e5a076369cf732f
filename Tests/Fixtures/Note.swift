package import EntityStore

/// An object for tests that need just any.
package struct Note: Entity {
  package let id: Int
  package var text: String

  package init(id: Int, text: String = "") {
    self.id = id
    self.text = text
  }

  package static let attributes = Attributes(.id(\Note.id), .attribute("text", \.text))
  package static let schema = Schema(attributes, Note.init)
}
