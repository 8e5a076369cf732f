import EntityStore
import Fixtures
import Foundation
import Locking
@testable import SQLitePersistence
import TestSupport
import Testing

private struct Wheel: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Wheel.id))
  static let schema = Schema(attributes, Wheel.init)
}

/// The entity with an index and a delete rule more, which others needn't know of.
private struct PersonIndexed: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\PersonIndexed.id), .attribute("name", \.name))
  static let schema = Schema(attributes, PersonIndexed.init, rules: [.index(\.name)])
  static var entityName: String { "Person" }
}

private struct PersonUnique: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\PersonUnique.id), .attribute("name", \.name))
  static let schema = Schema(attributes, PersonUnique.init, rules: [.unique(\.name)])
  static var entityName: String { "Person" }
}

@Suite struct `A file that another process has migrated` {
  private let path = temporaryPath()

  private func open(_ entity: any Entity.Type, _ migrations: [Migration] = []) throws -> Store {
    try Store(.sqlite(path: path, durability: .normal, migrations: migrations), entities: [entity])
  }

  private func expect(
    _ kind: StorageFault.Kind, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    do {
      try body()
      Issue.record("It goes on", sourceLocation: sourceLocation)
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == kind, "\(fault)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func `P3: is refused by an open store at its next commit and read, and nothing is written`()
    throws
  {
    try fillPeople(path)
    let store = try open(PersonBefore.self)
    #expect(try store.count(Query<PersonBefore>()) == 3)
    _ = try open(PersonAfter.self, [splitting])
    let before = try fileContents(path)
    for _ in 0..<2 {
      expect(.newer) { try store.commit { _ in _ = Issue.record("The body runs") } }
      expect(.newer) { _ = try store.count(Query<PersonBefore>()) }
    }
    #expect(try fileContents(path) == before)
  }

  @Test func `P3: is refused by an open store, also where no name says so`() throws {
    try fillPeople(path)
    let store = try open(PersonBefore.self)
    let other = try open(PersonUnique.self)
    expect(.schemaMismatch) {
      try store.commit { try $0.insert(PersonBefore(id: 9, name: "Ann1 of Green")) }
    }
    expect(.schemaMismatch) { _ = try store.find(PersonBefore.self, 1) }
    #expect(try other.count(Query<PersonUnique>()) == 3)
    // It would take the rule away that the later version counts on.
    try refusal(path, [PersonBefore.self], .newer, naming: ["update the app"])
  }

  @Test func `P3: is refused where a migration has changed rows alone`() throws {
    try fillPeople(path)
    let store = try open(PersonBefore.self)
    _ = try store.count(Query<PersonBefore>())
    _ = try open(PersonBefore.self, [Migration("2.0") { _ in }])
    expect(.newer) { try store.commit { _ in } }
    expect(.newer) { _ = try store.count(Query<PersonBefore>()) }
    try refusal(path, [PersonBefore.self], .newer, naming: ["2.0", "update the app"])
    #expect(
      try open(PersonBefore.self, [Migration("2.0") { _ in }]).count(Query<PersonBefore>()) == 3)
  }

  @Test func `P3: is used on where what has changed doesn't concern the store`() throws {
    try fillPeople(path)
    let store = try open(PersonBefore.self)
    _ = try open(Wheel.self)
    try store.commit { try $0.insert(PersonBefore(id: 8, name: "")) }
    _ = try open(PersonIndexed.self)
    try store.commit { try $0.insert(PersonBefore(id: 9, name: "")) }
    #expect(try store.count(Query<PersonBefore>()) == 5)
    _ = try open(PersonBefore.self)
  }

  @Test func `P4: goes back to an earlier schema where a migration says so`() throws {
    try fillPeople(path)
    _ = try open(PersonUnique.self)
    try refusal(path, [PersonBefore.self], .newer)
    let store = try open(PersonBefore.self, [Migration("names repeat") { _ in }])
    try store.commit { try $0.insert(PersonBefore(id: 9, name: "Ann1 of Green")) }
  }

  @Test func `P4: is migrated once, though several open it at once`() throws {
    try fillPeople(path, 300)
    let runs = Locked(0)
    let begun = Locked(0)
    let migration = Migration("split the name") { context in
      runs.withLock { $0 += 1 }
      // So that the others come while it runs.
      #expect(becomesTrueBlocking { begun.withLock { $0 } == 4 })
      try splitting.body(context)
    }
    let counts = Locked<[Int]>([])
    let path = path
    onThreads(4) { _ in
      begun.withLock { $0 += 1 }
      do {
        let store = try Store(
          .sqlite(
            path: path, durability: .normal, busyTimeout: .seconds(300), migrations: [migration]),
          entities: [PersonAfter.self])
        let count = try store.count(Query<PersonAfter>().filter { $0.family == "of Green" })
        counts.withLock { $0.append(count) }
      } catch { Issue.record("\(error)") }
    }
    #expect(runs.withLock { $0 } == 1)
    #expect(counts.withLock { $0 } == [300, 300, 300, 300])
  }

  @Test(arguments: 0..<4)
  func `P2: is as it was when the process is killed, and is migrated at the next opening`(
    _ seed: Int
  )
    async throws
  {
    try fillPeople(path, 5_000)
    let before = try fileContents(path)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, seed = seed as Int] in
      let left = Locked(seed * 2 + 1)
      _ = try Store(
        .sqlite(path: path, migrations: [splitting]) { _ in
          left.withLock { left in
            left -= 1
            if left == 0 { kill(getpid(), SIGKILL) }
          }
        }, entities: [PersonAfter.self])
    }
    #expect(hasCopy(path))
    #expect(
      try RawDatabase(path + ".before-migration").value("SELECT count(*) FROM Person") == "5000")
    #expect(try fileContents(path) == before)
    #expect(
      try fileContents(path + ".before-migration").filter { $0.hasPrefix("Person") }
        == before.filter { $0.hasPrefix("Person") })
    let store = try open(PersonAfter.self, [splitting])
    #expect(try store.count(Query<PersonAfter>().filter { $0.family == "of Green" }) == 5_000)
    #expect(!hasCopy(path))
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }
}
