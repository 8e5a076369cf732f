import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Before: Entity {
  let id: Int
  var code: String?
  static let attributes = Attributes(.id(\Before.id), .attribute("code", \.code))
  static let schema = Schema(attributes, Before.init, rules: [.unique(\.code)])
  static var entityName: String { "Ticket" }
}

/// What was nil has the default now, in all objects the same.
private struct Needed: Entity {
  let id: Int
  var code: String
  static let attributes = Attributes(.id(\Needed.id), .attribute("code", \.code, default: "none"))
  static let schema = Schema(attributes, Needed.init, rules: [.unique(\.code)])
  static var entityName: String { "Ticket" }
}

private struct Numbered: Entity {
  let id: Int
  var code: String?
  var number: Int
  static let attributes = Attributes(
    .id(\Numbered.id), .attribute("code", \.code), .attribute("number", \.number, default: 1))
  static let schema = Schema(
    attributes, Numbered.init, rules: [.unique(\.code), .unique(\.number)])
  static var entityName: String { "Ticket" }
}

private struct Both: Entity {
  let id: Int
  var code: String?
  var number: Int
  static let attributes = Attributes(
    .id(\Both.id), .attribute("code", \.code), .attribute("number", \.number, default: 1))
  static let schema = Schema(
    attributes, Both.init, rules: [.unique(\.code), .unique(\.code, \.number)])
  static var entityName: String { "Ticket" }
}

@Suite struct `A default that breaks a unique key` {
  private let path = temporaryPath()

  private func fill(_ codes: String?...) throws {
    try Store(.sqlite(path: path, durability: .normal), entities: [Before.self]).commit { draft in
      for (id, code) in codes.enumerated() { try draft.insert(Before(id: id, code: code)) }
    }
  }

  @Test func `P4: is refused by name, whether the attribute is new or was optional`() throws {
    try fill("a", nil, nil)
    try refusal(path, [Needed.self], naming: ["the same \"code\" in Ticket(1) and Ticket(2)"])
    try refusal(
      path, [Numbered.self],
      naming: ["the same \"number\" in Ticket(0), Ticket(1) and Ticket(2)", "its default"])
    #expect(
      try Store(.sqlite(path: path), entities: [Both.self]).fetch(Query<Both>()).map(\.number) == [
        1, 1, 1,
      ])
  }

  @Test func `P4: is refused where an object has the default's value already`() throws {
    try fill("none", nil)
    try refusal(path, [Needed.self], naming: ["the same \"code\" in Ticket(0) and Ticket(1)"])
  }

  @Test func `P4: is taken where it is one object's`() throws {
    try fill("a", nil)
    #expect(
      try Store(.sqlite(path: path), entities: [Needed.self]).fetch(Query<Needed>()).map(\.code)
        == ["a", "none"])
  }
}
