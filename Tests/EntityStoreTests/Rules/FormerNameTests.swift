import EntityStore
import TestSupport
import Testing

@Suite struct `Former names in a schema don't contradict each other` {
  @Test func `S6: an attribute that is dropped, too, traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Both: Entity {
        let id: Int
        var color = ""
        static let attributes = Attributes(.id(\Both.id), .attribute("color", \.color, default: ""))
        static let schema = Schema(attributes, Both.init, rules: [.dropped("Color")])
      }
      _ = try Store(.inMemory, entities: [Both.self])
    }
    trap.expectMessage("Both.Color is an attribute and dropped; take it out of .dropped")
  }

  @Test func `S6: an attribute that is renamed from its own name traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Same: Entity {
        let id: Int
        var color = ""
        static let attributes = Attributes(
          .id(\Same.id), .attribute("color", \.color, default: "", renamedFrom: "COLOR"))
        static let schema = Schema(attributes, Same.init)
      }
      _ = try Store(.inMemory, entities: [Same.self])
    }
    trap.expectMessage("Same.color is renamed from its own name")
  }

  @Test func `S6: two attributes that are renamed from one trap`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Twins: Entity {
        let id: Int
        var first = ""
        var second = ""
        static let attributes = Attributes(
          .id(\Twins.id), .attribute("first", \.first, default: "", renamedFrom: "name"),
          .attribute("second", \.second, default: "", renamedFrom: "Name"))
        static let schema = Schema(attributes, Twins.init)
      }
      _ = try Store(.inMemory, entities: [Twins.self])
    }
    trap.expectMessage("Twins.second and first are both renamed from \"Name\"")
  }

  @Test func `S6: an entity that is renamed from its own name traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Memo: Entity {
        let id: Int
        static let attributes = Attributes(.id(\Memo.id))
        static let schema = Schema(attributes, Memo.init, rules: [.renamedFrom("memo")])
      }
      _ = try Store(.inMemory, entities: [Memo.self])
    }
    trap.expectMessage("Memo is renamed from its own name")
  }
}
