import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `S10: Hooks see the commits of others` {
  private let path = temporaryPath("hooks")

  private func open(
    _ hooks: (any StoreHooks)? = nil, watching: StorageKind.FileWatching = .none,
    historyLimit: Int = 0
  ) throws -> Store {
    try Store(
      .sqlite(
        path: path, durability: .normal, watching: watching, historyLimit: historyLimit),
      entities: [Person.self, Car.self], hooks: hooks)
  }

  private func insert(_ ids: ClosedRange<Int>, in store: Store) throws {
    for id in ids { try store.commit { try $0.insert(Person(id: id, name: "\(id)")) } }
  }

  @Test func `S10: A refresh reports the versions that it merges`() throws {
    let hooks = RecordingHooks()
    let here = try open(hooks)
    let there = try open()
    try insert(1...3, in: there)
    try here.refresh()
    hooks.expectPairs()
    #expect(hooks.words == ["+opening", "-opening 0", "+merging", "-merging 1...3"])
  }

  @Test func `S10: A commit says which versions it has merged first`() throws {
    let hooks = RecordingHooks()
    let here = try open(hooks)
    let there = try open()
    try insert(1...2, in: there)
    try insert(3...4, in: here)
    hooks.expectPairs()
    #expect(hooks.words.dropFirst(2) == ["+commit", "-commit 3", "+commit", "-commit 4"])
    #expect(hooks.reports(.commit).map(\.commit?.merged) == [1...2, nil])
  }

  @Test func `S10: The watcher's merges are reported`() async throws {
    let hooks = RecordingHooks()
    let there = try open()
    let here = try open(hooks, watching: .every(.milliseconds(1)))
    try insert(1...1, in: there)
    // Its task needs one of the threads that tasks share.
    #expect(await becomesTrue { hooks.words.contains("-merging 1") })
    #expect(here.description.contains("version 1"))
  }

  @Test func `S10: A merge for a model's query is reported afterwards`() throws {
    let hooks = RecordingHooks()
    let here = try open(hooks)
    let there = try open()
    let model = try FetchedObjectsModel(Query<Person>(), in: here)
    try insert(1...1, in: there)
    try model.setQuery(Query<Person>().filter { $0.id > 0 })
    #expect(model.fetchedObjects.map(\.id) == [1])
    hooks.expectPairs()
    #expect(hooks.words == ["+opening", "-opening 0", "+merging", "-merging 1"])
  }

  @Test func `S10: What the watcher can't read is reported, with the error of the signal`()
    async throws
  {
    let hooks = RecordingHooks()
    let here = try open(hooks, watching: .every(.milliseconds(1)))
    let errors = Log<String>()
    let token = here.errors.subscribe { errors.note("\($0)") }
    try FileManager.default.removeItem(atPath: path)
    #expect(await becomesTrue { hooks.words.contains("-watching fails") })
    let reported = hooks.reports(.watching).first?.error
    #expect(reported.map { "\($0)" } == errors.entries.first)
    withExtendedLifetime((here, token)) {}
  }

  @Test func `S10: Maintenance has the name of its function`() throws {
    let hooks = RecordingHooks()
    let store = try open(hooks, historyLimit: 5)
    try store.eraseDeleted()
    try store.clearHistory()
    hooks.expectPairs()
    #expect(
      hooks.words.dropFirst(2) == [
        "+maintenance \"eraseDeleted()\"", "-maintenance \"eraseDeleted()\"",
        "+maintenance \"clearHistory()\"", "-maintenance \"clearHistory()\"",
      ])
  }
}
