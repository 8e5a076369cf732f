package import EntityStore

/// A person of an older schema, with the name in one piece.
package struct PersonBefore: Entity {
  package let id: Int
  package var name: String

  package init(id: Int, name: String) {
    self.id = id
    self.name = name
  }

  package static let attributes = Attributes(.id(\PersonBefore.id), .attribute("name", \.name))
  package static let schema = Schema(attributes, PersonBefore.init)
  package static var entityName: String { "Person" }
}

/// Splits a name into two, as it was written when the second was still called "last".
package let splitting = Migration("split the name") { context in
  try context.rewrite("Person") { old in
    let words = try old.value("name", as: String.self)?.split(separator: " ") ?? []
    var new = old
    new["first"] = .text(words.first.map(String.init) ?? "")
    new.set("last", to: words.dropFirst().joined(separator: " "))
    new.remove("NAME")
    return new
  }
}
