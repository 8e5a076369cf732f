import EntityStore
import Testing

/// Has properties that are no attributes.
private struct Chore: Entity {
  let id: Int
  var title = ""
  var done = 0
  var isDone: Bool { done > 0 }
  var rank: Int { done }
  static let attributes = Attributes(
    .id(\Chore.id), .attribute("title", \.title), .attribute("done", \.done))
  static let schema = Schema(attributes, Chore.init)
}

private struct Note: Entity {
  let id: Int
  var chore: Ref<Chore>?
  static let attributes = Attributes(.id(\Note.id), .one("chore", \.chore, inverse: \.notes))
  static let schema = Schema(attributes, Note.init)
}

extension Chore {
  var notes: Many<Chore, Note> { Many(\.chore) }
}

// These expect the sentence in release, too: `preconditionFailure` would print none there.
@Suite struct `A mistake in a query traps with a message, in release builds too` {
  private func expect(_ words: String, _ result: ExitTest.Result?) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(words), "\(text.suffix(400))")
  }

  private let advice =
    "is no attribute of Chore; a query can name only stored properties that the schema lists"

  @Test func `S6: a computed property in a condition`() async {
    expect(
      advice,
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Query<Chore>().filter { $0.isDone }
      })
  }

  @Test func `S6: a computed property in an order`() async {
    expect(
      advice,
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Query<Chore>().sorted { [$0.rank.ascending] }
      })
  }

  @Test func `S6: a computed property in sections`() async {
    expect(
      advice,
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Query<Chore>().sectioned { $0.rank }
      })
  }

  @Test func `S6: a computed property in what is included`() async {
    expect(
      advice,
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Query<Note>().including { $0.chore.rank }
      })
  }

  @Test func `S6: a computed property in what is aggregated`() async {
    expect(
      advice,
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Query<Chore>().aggregating { $0.rank }
      })
  }

  @Test func `S6: a reference that is listed as a plain value`() async {
    expect(
      "Memo.chore is a Ref<Chore>, so it must be listed with .one",
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        struct Memo: Entity {
          let id: Int
          var chore: Ref<Chore>?
          static let attributes = Attributes(.id(\Memo.id), .attribute("chore", \.chore))
          static let schema = Schema(attributes, Memo.init)
        }
        _ = try Store(.inMemory, entities: [Memo.self, Chore.self])
      })
  }

  @Test func `S6: an object that is looked for by its id as by a unique key`() async {
    expect(
      "use find(Chore.self, id)",
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try Store(.inMemory, entities: [Chore.self]).find(Chore.self, by: (\.id, 1))
      })
  }

  @Test func `S6: two entities of one name`() async throws {
    expect(
      "Two entities are named Chore; give one another entityName",
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try Store(.inMemory, entities: [Chore.self, Note.self, Chore.self])
      })
  }
}
