import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

/// A letter with words to search for, and the letter that it answers.
private struct Letter: Entity, Equatable {
  let id: Int
  var text: String
  var answers: Ref<Letter>?

  static let attributes = Attributes(
    .id(\Letter.id), .attribute("text", \.text), .one("answers", \.answers, lateBound: true))
  static let schema = Schema(attributes, Letter.init, rules: [.fullText(\.text)])
}

/// The rows to which the events of a model have led.
private final class Mirror: Sendable {
  let rows: Locked<[Letter]>

  init(rows: consuming Locked<[Letter]>) { self.rows = rows }
}

@Suite(.oneThread) struct `Lists of what a search finds` {
  private static let queries: [Query<Letter>] = [
    Query().matching("tea"), Query().matching("gard* NOT milk").sorted { [$0.text.descending] },
    Query().filter { $0.answers.matches("tea") && !$0.matches("tea") },
    Query().sorted { [$0.matches("milk").ascending] }.sectioned { $0.matches("milk") }.limit(9),
    Query().matching("tea OR gard*").sorted { [$0.rank(of: "tea OR gard*")] },
    Query().matching("tea OR gard*").sorted { [$0.rank(of: "tea OR gard*")] }.limit(3),
    Query().sorted { [$0.rank(of: "tea")] }.last(4),
  ]

  @Test(arguments: TestStorage.withServer, seeds(40))
  func `F2, F6: follow each commit, by its changes`(_ storage: TestStorage, _ seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let store = try storage.makeStore(Letter.self)
    let models = try Self.queries.map { try FetchedObjectsModel($0, in: store) }
    let lists = models.map { Mirror(rows: Locked($0.snapshot.rows.map(\.value))) }
    let tokens = zip(models, lists).map { model, list in
      model.didChange.subscribe { event in
        let after = event.after.rows.map(\.value)
        var sections = event.before.sections.map {
          ListSection(header: $0.id, rows: $0.map(\.value))
        }
        expectEqual(sections.flatMap(\.rows), list.rows.withLock { $0 }, "events lead on")
        event.changes.apply(to: &sections) {
          event.after.sections[$0].id
        } row: {
          event.after.sections[$0.section][$0.row].value
        }
        expectEqual(sections.map(\.header), event.after.sections.map(\.id))
        expectEqual(sections.flatMap(\.rows), after)
        list.rows.withLock { $0 = after }
      }
    }
    defer { withExtendedLifetime(tokens) {} }
    let count = try ObservedValue(in: store) { try $0.count(Query<Letter>().matching("tea")) }
    let words = ["tea", "Tea,", "garden", "gardens", "milk", "x"]
    for _ in 0..<25 {
      let isPaused = random.chance(0.2)
      if isPaused { for model in models { model.pause() } }
      try store.commit { draft in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let id = Int.random(in: 0..<12, using: &random)
          if random.chance(0.3), try draft.find(Letter.self, id) != nil {
            try draft.delete(Letter.self, id)
            continue
          }
          let text = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            words.randomElement(using: &random) ?? ""
          }.joined(separator: " ")
          let answers = random.chance(0.5) ? Int.random(in: 0..<12, using: &random) : nil
          try draft.upsert(Letter(id: id, text: text, answers: answers.map { Ref($0) }))
        }
      }
      if isPaused { for model in models { model.resume() } }
      if random.chance(0.1) {
        try models[0].setQuery(Query<Letter>().matching("milk"))
        try models[0].setQuery(Self.queries[0])
      }
      for (list, model) in zip(lists, models) {
        let shown = model.snapshot.rows.map(\.value)
        expectEqual(list.rows.withLock { $0 }, shown, "events lead to what is shown")
      }
      let all = try store.fetch(Query<Letter>())
      for (query, model) in zip(Self.queries, models) {
        expectEqual(model.snapshot.rows.map(\.value), try store.fetch(query), "\(query)")
      }
      expectEqual(
        models[0].snapshot.rows.map(\.id),
        all.filter { SearchPattern("tea").found(in: $0.text) }.map(\.id))
      expectEqual(count.value, models[0].snapshot.rows.count)
    }
  }
}

extension SearchPattern {
  /// Returns true if the pattern is one word and a text has it.
  fileprivate func found(in text: String) -> Bool {
    text.lowercased().split { !$0.isLetter }.contains { $0 == description }
  }
}
