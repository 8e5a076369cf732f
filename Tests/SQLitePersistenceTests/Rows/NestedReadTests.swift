@_spi(Inspection) import EntityStore
import Locking
import SQLitePersistence
import TestSupport
import Testing

/// Code that runs once, by the number of the mark that runs it.
private struct MarkHooks {
  var whenMade: [Int: @Sendable () -> Void] = [:]
  var whenReleased: [Int: @Sendable () -> Void] = [:]
}

private let hooks = Locked(MarkHooks())

/// A value that runs code when it is made of its stored form, and when it is released.
private struct Mark: Storable {
  private final class End: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }

    deinit {
      let hook = hooks.withLock { $0.whenReleased.removeValue(forKey: number) }
      hook?()
    }
  }

  static let storedType = StoredType.integer

  let number: Int
  private let end: End

  init(_ number: Int) {
    self.number = number
    end = End(number)
  }

  init(storedValue: StoredValue) throws {
    let number = try Int(storedValue: storedValue)
    self.init(number)
    let hook = hooks.withLock { $0.whenMade.removeValue(forKey: number) }
    hook?()
  }

  var storedValue: StoredValue { number.storedValue }
}

/// Its text is read after its mark, from memory that the mark's code must not free.
private struct MarkedPage: Entity {
  let id: Int
  var mark: Mark
  var text: String
  static let attributes = Attributes(
    .id(\MarkedPage.id), .attribute("mark", \.mark), .attribute("text", \.text))
  static let schema = Schema(attributes, MarkedPage.init)
}

/// Opens a file with four pages, all but the second of which have the text "é".
private func openPages() throws -> Store {
  let path = temporaryPath("pages")
  func openStore() throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: [MarkedPage.self])
  }
  try openStore().commit { draft in
    for id in 1...4 {
      try draft.insert(MarkedPage(id: id, mark: Mark(id), text: id == 2 ? "e" : "é"))
    }
  }
  return try openStore()
}

private let words =
  "MarkedPage is read by code that makes a value of one of its attributes; such code must not "
  + "use the store"

private let mistakes: [Mistake] = [
  Mistake("a find in a find", words) {
    let store = try openPages()
    hooks.withLock { hooks in
      hooks.whenMade[1] = {
        _ = try? store.commit { draft in _ = try? draft.find(MarkedPage.self, 2) }
      }
    }
    try store.commit { draft in _ = try draft.find(MarkedPage.self, 1) }
  },
  Mistake("a find of no object in a find", words) {
    let store = try openPages()
    hooks.withLock { hooks in
      hooks.whenMade[1] = {
        _ = try? store.commit { draft in _ = try? draft.find(MarkedPage.self, 3_000_000_000) }
      }
    }
    try store.commit { draft in _ = try draft.find(MarkedPage.self, 1) }
  },
  Mistake("a fetch in the same fetch", words) {
    let store = try openPages()
    hooks.withLock { hooks in
      hooks.whenMade[3] = {
        _ = try? store.commit { draft in _ = try? draft.fetch(Query<MarkedPage>()) }
      }
    }
    try store.commit { draft in _ = try draft.fetch(Query<MarkedPage>()) }
  },
]

@Suite struct `A read while a file's row is read` {
  @Test(arguments: mistakes)
  func `S6: by code that makes a value, it traps before it takes the row's memory`(
    _ mistake: Mistake
  ) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = mistake.name as String] in
      for mistake in mistakes where mistake.name == name { try mistake.make() }
    }
    trap.expectMessage(mistake.words, inRelease: true)
  }

  @Test func `S2: by a value that is released, it has its own statement for the same query`() throws
  {
    let store = try openPages()
    let query = Query<MarkedPage>().filter { $0.text.lowercased == "é" }
    // The second row is released while the statement is open, because SQL can't test the text.
    #expect(try query.plan(in: store).conditionsHere.count == 1)
    let nested = Log<Int>()
    hooks.withLock { hooks in
      hooks.whenReleased[2] = {
        _ = try? store.commit { draft in
          for page in try draft.fetch(query) { nested.note(page.id) }
        }
      }
    }
    var found: [Int] = []
    try store.commit { draft in found = try draft.fetch(query).map(\.id) }
    #expect(found == [1, 3, 4])
    #expect(nested.entries == [1, 3, 4])
    // The cached statement is as before.
    try store.commit { draft in found = try draft.fetch(query).map(\.id) }
    #expect(found == [1, 3, 4])
  }
}
