package import EntityStore

/// An object that is named by a text.
package struct Place: Entity {
  package let id: String
  package var visits: Int

  package init(id: String, visits: Int) {
    self.id = id
    self.visits = visits
  }

  package static let attributes = Attributes(.id(\Place.id), .attribute("visits", \.visits))
  package static let schema = Schema(attributes, Place.init)
}
