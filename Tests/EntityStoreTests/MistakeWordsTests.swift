import EntityStore
import SQLitePersistence
import TestSupport
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
  @Test(arguments: mistakes) func `S6: each says what it is`(_ mistake: Mistake) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = mistake.name as String] in
      for mistake in mistakes where mistake.name == name { try mistake.make() }
    }
    trap.expectMessage(mistake.words, inRelease: true)
  }
}

private let advice =
  "is no attribute of Chore; a query can name only stored properties that the schema lists"

private let mistakes: [Mistake] = [
  Mistake("a computed property in a condition", advice) {
    _ = Query<Chore>().filter { $0.isDone }
  },
  Mistake("a computed property in an order", advice) {
    _ = Query<Chore>().sorted { [$0.rank.ascending] }
  },
  Mistake("a computed property in sections", advice) {
    _ = Query<Chore>().sectioned { $0.rank }
  },
  Mistake("a computed property in what is included", advice) {
    _ = Query<Note>().including { $0.chore.rank }
  },
  Mistake("a computed property in what is aggregated", advice) {
    _ = Query<Chore>().aggregating { $0.rank }
  },
  Mistake(
    "a reference that is listed as a plain value",
    "Memo.chore is a Ref<Chore>, so it must be listed with .one"
  ) {
    struct Memo: Entity {
      let id: Int
      var chore: Ref<Chore>?
      static let attributes = Attributes(.id(\Memo.id), .attribute("chore", \.chore))
      static let schema = Schema(attributes, Memo.init)
    }
    _ = try Store(.inMemory, entities: [Memo.self, Chore.self])
  },
  Mistake("an object looked for by its id as by a unique key", "use find(Chore.self, id)") {
    _ = try Store(.inMemory, entities: [Chore.self]).find(Chore.self, by: (\.id, 1))
  },
  Mistake("two entities of one name", "Two entities are named Chore; give one another entityName") {
    _ = try Store(.inMemory, entities: [Chore.self, Note.self, Chore.self])
  },
  Mistake("the version of a nested commit", "has no version of its own; use commit there") {
    let store = try Store(.inMemory, entities: [Chore.self])
    try store.commit { _ in _ = try store.commitReturningVersion { _ in } }
  },
  Mistake(
    "an erasure in the body of a commit",
    "eraseDeleted() is called in the body of a commit; call it after the commit"
  ) {
    let store = try Store(.inMemory, entities: [Chore.self])
    try store.commit { _ in try store.eraseDeleted() }
  },
  Mistake(
    "a search without an index",
    "Chore is searched for words, and its schema has no index of them; add the rule .fullText"
  ) { _ = Query<Chore>().filter { $0.matches("tea") } },
  Mistake(
    "an order by words without an index",
    "Chore is ordered by words, and its schema has no index of them; add the rule .fullText"
  ) { _ = Query<Chore>().sorted { [$0.rank(of: "tea")] } },
  Mistake(
    "a search of an attribute without an index", "is searched for words, and no index has them"
  ) { _ = Query<Chore>().filter { $0.title.matches("tea") } },
  Mistake("a moment beyond all dates", "is beyond all dates; use less than a million years") {
    _ = Moment.now(adding: .seconds(40_000_000_000_000))
  },
]
