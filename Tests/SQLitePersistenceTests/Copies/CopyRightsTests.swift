import EntityStore
import Foundation
import FoundationSupport
import SQLitePersistence
import TestSupport
import Testing

/// The rights of a file and of all beside it whose names begin with its name.
func rights(beside path: String) throws -> [String: Int] {
  let url = URL(fileURLWithPath: path)
  let folder = url.deletingLastPathComponent()
  var found: [String: Int] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
  where name.hasPrefix(url.lastPathComponent) {
    let file = folder.appendingPathComponent(name).path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else { continue }
    found[String(name.dropFirst(url.lastPathComponent.count))] =
      attributes[.posixPermissions] as? Int
  }
  return found
}

/// Makes an empty file with rights of its own.
func makeFile(_ path: String, rights: Int) {
  _ = FileManager.default.createFile(atPath: path, contents: nil)
  chmod(path, mode_t(rights))
}

@Suite struct `Only users who may read a file may read its copies` {
  @Test(.oneThread, arguments: [0o600, 0o640, 0o660])
  func `P3: the copy beside a migration has the file's rights from the beginning`(
    _ mode: Int
  ) async throws {
    let path = temporaryPath()
    // The mask is the whole process's.
    await #expect(processExitsWith: .success) { [path = path as String, mode = mode as Int] in
      umask(0o022)
      makeFile(path, rights: mode)
      do { try openGarage(path).fill() }
      // What an older version has left of a migration that was killed.
      makeFile(path + ".before-migration", rights: 0o644)
      makeFile(path + ".before-migration.partial", rights: 0o644)
      let migration = Migration("looks") { context in
        try context.rewrite("Person") { $0 }
        let found = try rights(beside: path)
        precondition(found[".before-migration"] == mode, "\(found)")
        precondition(found.count >= 4 && found.values.allSatisfy { $0 == mode }, "\(found)")
      }
      let store = try Store(
        .sqlite(path: path, migrations: [migration]) { _ in
          let found = try rights(beside: path)
          for (name, rights) in found where name.contains("partial") || name.contains("-") {
            precondition(rights == mode || name == ".before-migration", "\(found)")
          }
        }, entities: [Person.self, Car.self])
      let count = try store.count(Query<Person>())
      let found = try rights(beside: path)
      precondition(count == 2 && found.values.allSatisfy { $0 == mode }, "\(found)")
    }
  }

  @Test(.oneThread, arguments: [0o600, 0o640, 0o660])
  func `P3: a backup has the file's rights from the beginning`(_ mode: Int) async throws {
    let (path, copy) = (temporaryPath(), temporaryPath("copy"))
    await #expect(processExitsWith: .success) {
      [path = path as String, copy = copy as String, mode = mode as Int] in
      umask(0o022)
      makeFile(path, rights: mode)
      let store = try openGarage(path)
      try store.fill()
      var seen = 0
      func back(up store: Store, to path: String, _ mode: Int) throws {
        try store.backUp(to: path, replacingFile: true, pagesAtATime: 1) { _ in
          for (name, rights) in try rights(beside: path) where name.contains("partial") {
            precondition(rights == mode, "\(name) \(rights)")
            seen += 1
          }
        }
        let found = try rights(beside: path)
        precondition(found.values.allSatisfy { $0 == mode }, "\(found)")
      }
      try back(up: store, to: copy, mode)
      // One that anybody might read is replaced by one that they may not.
      chmod(copy, 0o644)
      try back(up: store, to: copy, mode)
      let memory = try Store(.inMemory, entities: [Person.self, Car.self])
      try memory.fill()
      try back(up: memory, to: copy, mode)
      precondition(seen > 3)
    }
  }
}

// Root alone may give a file another group than those of the process.
@Suite(.enabled(if: geteuid() == 0, "only root may give a file any group"))
struct `A copy of a file has its group, or gives no group more rights` {
  private static let group: gid_t = 4242

  /// Has the process be another user, of no group of the file's.
  private static func beNobody() {
    precondition(setgid(4343) == 0 && setgroups(0, nil) == 0 && setuid(4343) == 0)
  }

  private static func status(_ path: String) -> (group: gid_t, rights: Int) {
    var found = stat()
    precondition(stat(path, &found) == 0)
    return (found.st_gid, Int(found.st_mode & 0o777))
  }

  @Test func `P3: a backup and the copy beside a migration have the group of the file`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let (path, copy) = (temporaryPath(), temporaryPath("copy"))
      makeFile(path, rights: 0o660)
      precondition(chown(path, 0, Self.group) == 0)
      try openGarage(path).fill()
      try openGarage(path).backUp(to: copy)
      let lines = URL(fileURLWithPath: temporaryPath("lines"))
      try openGarage(path).exportJSONLines(to: lines)
      precondition(Self.status(lines.path) == (Self.group, 0o660))
      let looks = Migration("looks") { context in
        try context.rewrite("Person") { $0 }
        precondition(Self.status(path + ".before-migration") == (Self.group, 0o660))
      }
      _ = try Store(.sqlite(path: path, migrations: [looks]), entities: [Person.self, Car.self])
      precondition(Self.status(copy) == (Self.group, 0o660), "\(Self.status(copy))")
    }
  }

  @Test(.oneThread, arguments: [(0o660, 0o600), (0o664, 0o604), (0o606, 0o600), (0o666, 0o606)])
  func `P3: where the process may not say so, the group has none of the rights`(
    _ mode: Int, _ wanted: Int
  ) async throws {
    await #expect(processExitsWith: .success) { [mode = mode as Int, wanted = wanted as Int] in
      let folder = temporaryPath("folder")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let (path, copy) = (folder + "/file.db", folder + "/copy.db")
      makeFile(path, rights: mode)
      precondition(chown(path, 4343, Self.group) == 0 && chown(folder, 4343, 4343) == 0)
      Self.beNobody()
      let store = try openGarage(path)
      try store.fill()
      try store.backUp(to: copy)
      try store.exportJSONLines(to: URL(fileURLWithPath: folder + "/lines"))
      for made in [copy, folder + "/lines"] {
        precondition(Self.status(made) == (4343, wanted), "\(Self.status(made))")
      }
    }
  }

  @Test func `P3, P9: a file that nobody may write to is backed up, and its copy replaced`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let folder = temporaryPath("folder")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let (path, copy) = (folder + "/file.db", folder + "/copy.db")
      try openGarage(path).fill()
      precondition(chmod(path, 0o444) == 0)
      precondition(chown(path, 4343, 4343) == 0 && chown(folder, 4343, 4343) == 0)
      Self.beNobody()
      try readGarage(path).backUp(to: copy)
      precondition(Self.status(copy) == (4343, 0o444), "\(Self.status(copy))")
      let memory = try Store(.inMemory, entities: [Person.self, Car.self])
      try memory.fill()
      try memory.commit { try $0.insert(Car(id: 1, model: "new")) }
      try memory.backUp(to: copy, replacingFile: true)
      precondition(Self.status(copy) == (4343, 0o444), "\(Self.status(copy))")
      let count = try readGarage(copy).count(Query<Car>())
      precondition(count == 3)
    }
  }
}
