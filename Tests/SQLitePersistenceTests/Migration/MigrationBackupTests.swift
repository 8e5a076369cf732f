import EntityStore
import Fixtures
import Foundation
import TestSupport
import Testing

@testable import SQLitePersistence

@Suite struct `The copy beside a file during its migration` {
  private let path = temporaryPath()
  private var copyPath: String { path + ".before-migration" }

  private func files() throws -> [String] {
    let url = URL(fileURLWithPath: path)
    return try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(url.lastPathComponent) }.sorted()
      .map { String($0.dropFirst(url.lastPathComponent.count)) }
  }

  @Test func `P3: an old one stays until the new one is whole`() throws {
    try Data("the file before the disk failed".utf8).write(to: URL(fileURLWithPath: copyPath))
    try Data("no database at all, but long enough for one".utf8)
      .write(to: URL(fileURLWithPath: path))
    let copy = MigrationBackup(of: DatabaseFile(path))
    #expect(throws: StoreError.self) { try copy.make() }
    #expect(
      try String(contentsOfFile: copyPath, encoding: .utf8) == "the file before the disk failed")
    let left = try files()
    #expect(left == ["", ".before-migration"])
  }

  @Test func `P3: one that was left by a process that was killed is replaced`() throws {
    try fillPeople(path, 5)
    try Data("half of a copy".utf8).write(to: URL(fileURLWithPath: copyPath))
    try Data("half".utf8).write(to: URL(fileURLWithPath: copyPath + ".partial"))
    let copy = MigrationBackup(of: DatabaseFile(path))
    try copy.make()
    #expect(try RawDatabase(copyPath).value("SELECT count(*) FROM Person") == "5")
    #expect(try RawDatabase(copyPath).value("PRAGMA integrity_check") == "ok")
    copy.remove()
    #expect(!hasCopy(path))
    #expect(!(try files().contains { $0.contains("partial") }))
  }

  @Test func `P3: another process's is never removed`() throws {
    try fillPeople(path, 5)
    let (mine, other) = (
      MigrationBackup(of: DatabaseFile(path)), MigrationBackup(of: DatabaseFile(path))
    )
    try mine.make()
    try other.make()
    mine.remove()
    #expect(hasCopy(path))
    other.remove()
    #expect(!hasCopy(path))
    // Who has made none removes none.
    try mine.make()
    MigrationBackup(of: DatabaseFile(path)).remove()
    #expect(hasCopy(path))
  }

  @Test func `P3: a migration that fails before it has one removes none`() throws {
    try fillPeople(path, 5)
    try Data("another's".utf8).write(to: URL(fileURLWithPath: copyPath))
    #expect(throws: StoreError.self) {
      _ = try Store(.sqlite(path: path), entities: [PersonAfter.self])
    }
    #expect(try String(contentsOfFile: copyPath, encoding: .utf8) == "another's")
  }

  @Test(arguments: [
    ".before-migration", ".before-migration.partial", ".before-migration.partial-journal",
  ])
  func `P3: it never takes the place of the file itself, to which a link leads`(_ suffix: String)
    throws
  {
    try fillPeople(path + suffix, 5)
    #expect(symlink(path + suffix, path) == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) {
      try MigrationBackup(of: DatabaseFile(path)).make()
    }
    guard case .storage(let fault) = error else { return }
    #expect(fault.kind == .exists && fault.message.contains("the file itself"), "\(fault)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + suffix)) == before)
    #expect(try RawDatabase(path).value("SELECT count(*) FROM Person") == "5")
  }

  @Test func `P3, P4: a migration makes one before it writes, and none if it only reads`() throws {
    try fillPeople(path, 5)
    let looking = Migration("look") { [path] context in
      expectEqual(try context.rows(of: "Person").count, 5)
      #expect(!hasCopy(path))
    }
    let deleting = Migration("delete") { [path] context in
      #expect(!hasCopy(path))
      try context.delete(from: "Person") { $0["id"] == .integer(1) }
      #expect(hasCopy(path))
    }
    for (migrations, count) in [([looking], 5), ([looking, deleting], 4)] {
      let store = try Store(
        .sqlite(path: path, watching: .none, migrations: migrations),
        entities: [PersonBefore.self])
      #expect(try store.count(Query<PersonBefore>()) == count)
      #expect(!hasCopy(path))
    }
  }

  @Test func `P3, P4: a migration makes none for a table without rows, until it inserts one`()
    throws
  {
    do { _ = try Store(.sqlite(path: path), entities: [PersonBefore.self]) }
    let filling = Migration("fill") { [path] context in
      try context.rewrite("Person") { $0 }
      try context.delete(from: "Person") { _ in true }
      #expect(!hasCopy(path))
      try context.insert(["id": .integer(1), "name": .text("Ann")], into: "Person")
      #expect(hasCopy(path))
    }
    let store = try Store(
      .sqlite(path: path, watching: .none, migrations: [filling]), entities: [PersonBefore.self])
    #expect(try store.find(PersonBefore.self, 1)?.name == "Ann")
    #expect(!hasCopy(path))
  }

  @Test func `P3, P4: a migration that goes on although there can't be one is refused`() throws {
    try fillPeople(path, 5)
    let other = temporaryPath("other")
    try Data("another's".utf8).write(to: URL(fileURLWithPath: other))
    #expect(symlink(other, copyPath) == 0)
    let deleting = Migration("delete") { context in
      try? context.delete(from: "Person") { _ in true }
    }
    try fault(.exists, naming: [copyPath]) {
      _ = try Store(
        .sqlite(path: path, watching: .none, migrations: [deleting]),
        entities: [PersonBefore.self])
    }
    #expect(try RawDatabase(path).value("SELECT count(*) FROM Person") == "5")
  }

  @Test func `P3: it doesn't take the place of a link`() throws {
    try fillPeople(path, 5)
    let other = temporaryPath("other")
    try Data("another's".utf8).write(to: URL(fileURLWithPath: other))
    #expect(symlink(other, copyPath) == 0)
    #expect(throws: StoreError.self) { try MigrationBackup(of: DatabaseFile(path)).make() }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copyPath) == other)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "another's")
  }
}
