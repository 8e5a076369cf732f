import EntityStore
import Foundation
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

/// Paths that name no file, and what is said of them.
private let noPaths = [
  ("", "The path is empty; give the path of a file, or use .inMemory for a store without one"),
  (
    "gar\0age.db",
    #"The path "gar\0age.db" has a NUL in it, where the system would end it; take that out"#
  ),
  (
    "\0",
    #"The path "\0" has a NUL in it, where the system would end it; take that out"#
  ),
  (
    ":memory:",
    #"The path ":memory:" is no file's; give the path of a file, or use .inMemory for a store without one"#
  ),
  (
    "file:garage.db",
    #"The path "file:garage.db" is a URL; give it without "file:", as the path of a file"#
  ),
]

@Suite struct `A path that names no file throws an error` {
  private func fault(_ body: () throws -> Void) throws -> StorageFault {
    let error = try #require(throws: StoreError.self, performing: body)
    guard case .storage(let fault) = error else { throw error }
    return fault
  }

  /// What was made in the working folder under the names above, or a part of them.
  private func made() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: ".").filter { name in
      ["gar", ":memory:", "file:", ".partial-"].contains { name.hasPrefix($0) }
    }
  }

  @Test func `P3: a store isn't opened, and nothing is made`() throws {
    for (path, words) in noPaths {
      let fault = try fault { _ = try Store(.sqlite(path: path), entities: [Person.self]) }
      #expect(fault.kind == .cannotOpen)
      #expect("\(fault)" == words)
      #expect(fault.path == path)
      #expect(try self.fault { _ = try SQLiteStorage(path: path) } == fault)
    }
    #expect(try made() == [])
  }

  @Test(arguments: [false, true])
  func `P3: a store isn't copied there, and nothing is made`(_ isInMemory: Bool) throws {
    let store = try Store(
      isInMemory ? .inMemory : .sqlite(path: temporaryPath()), entities: [Person.self])
    for (path, words) in noPaths {
      for isReplacing in [false, true] {
        let fault = try fault { try store.backUp(to: path, replacingFile: isReplacing) }
        #expect(fault.kind == .cannotOpen)
        #expect("\(fault)" == words)
      }
    }
    #expect(try made() == [])
  }
}

@Suite struct `A read-only file can't be opened` {
  @Test(arguments: [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555)])
  func `P3: it is as it was, with nothing beside it`(_ rights: (file: Int, folder: Int))
    async throws
  {
    let files = FileManager.default
    let folder = temporaryPath("readonly")
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/store.sqlite"
    try openGarage(path).fill()
    #expect(try files.contentsOfDirectory(atPath: folder) == ["store.sqlite"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try files.setAttributes([.posixPermissions: rights.file], ofItemAtPath: path)
    try files.setAttributes([.posixPermissions: rights.folder], ofItemAtPath: folder)
    // Rights bind everyone but root, so a process of its own gives them up.
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      _ = setuid(65_534)
      do {
        _ = try openGarage(path)
      } catch StoreError.storage(let fault) where [.readOnly, .cannotOpen].contains(fault.kind) {
        exit(
          fault.message.contains("make the file and its folder writable, or open a copy") ? 7 : 8)
      }
      exit(1)
    }
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(try files.contentsOfDirectory(atPath: folder) == ["store.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    // A copy can be opened.
    let copy = temporaryPath("copy")
    try files.copyItem(atPath: path, toPath: copy)
    try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
    #expect(try openGarage(copy).count(Query<Car>()) == 2)
  }
}
