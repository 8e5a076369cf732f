import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Only users who may read the store's file may read exported JSON Lines` {
  @Test(arguments: [0o600, 0o640, 0o660])
  func `P3: an export has the file's rights from the beginning`(_ mode: Int) async throws {
    let (path, lines) = (temporaryPath(), temporaryPath("lines"))
    await #expect(processExitsWith: .success) {
      [path = path as String, lines = lines as String, mode = mode as Int] in
      umask(0o022)
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      chmod(path, mode_t(mode))
      let store = try Store(.sqlite(path: path), entities: [Note.self])
      try store.commit { try $0.insert(Note(id: 1)) }
      let memory = try Store(.inMemory, entities: [Note.self])
      let folder = URL(fileURLWithPath: lines)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let url = folder.appendingPathComponent("lines")
      for store in [store, memory] {
        try store.exportJSONLines(to: url, replacingFile: true) { _ in
          let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
          precondition(!names.isEmpty)
          for name in names {
            var status = stat()
            stat(folder.appendingPathComponent(name).path, &status)
            precondition(Int(status.st_mode & 0o777) == mode, "\(name)")
          }
        }
      }
    }
  }

  @Test func `P3: no export takes the place of a database that is open`() throws {
    let path = temporaryPath()
    let store = try Store(.sqlite(path: path, watching: .none), entities: [Note.self])
    try store.commit { try $0.insert(Note(id: 1)) }
    let url = URL(fileURLWithPath: path)
    let memory = try Store(.inMemory, entities: [Note.self])
    for one in [store, memory] {
      let error = #expect(throws: StoreError.self) {
        try one.exportJSONLines(to: url, replacingFile: true)
      }
      guard case .storage(let fault) = error else {
        Issue.record("\(error as Any)")
        continue
      }
      #expect(fault.kind == .exists && fault.message.contains("choose another path"))
    }
    try store.commit { try $0.insert(Note(id: 2)) }
    #expect(try store.count(Query<Note>()) == 2)
  }

  @Test func `P3: neither an export nor a backup replaces the file that its store only reads`()
    async throws
  {
    let path = temporaryPath()
    let writer = try Store(.sqlite(path: path, watching: .none), entities: [Note.self])
    try writer.commit { try $0.insert(Note(id: 1, text: "kept")) }
    await writer.close()
    let store = try Store(
      .sqlite(path: path, access: .readOnly, watching: .none), entities: [Note.self])
    #expect(try store.count(Query<Note>()) == 1)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let url = URL(fileURLWithPath: path)
    let attempts: [() throws -> Void] = [
      { try store.exportJSONLines(to: url, replacingFile: true) },
      { try store.exportJSONLines(to: url) },
      { try store.backUp(to: path, replacingFile: true) },
      { try store.backUp(to: path) },
    ]
    for attempt in attempts {
      let error = #expect(throws: StoreError.self) { try attempt() }
      guard case .storage(let fault) = error else {
        Issue.record("\(error as Any)")
        continue
      }
      #expect(fault.kind == .exists && fault.message.hasSuffix("choose another path"))
    }
    await store.close()
    let again = try Store(.sqlite(path: path, watching: .none), entities: [Note.self])
    #expect(try again.find(Note.self, 1)?.text == "kept")
  }

  @Test func `P3: a file that is for reading alone is replaced by one with its rights`()
    async throws
  {
    let folder = temporaryPath("folder")
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      chmod(folder, 0o777)
      // The superuser may open anything.
      if getuid() == 0 { precondition(setuid(65_534) == 0) }
      let url = URL(fileURLWithPath: folder).appendingPathComponent("lines")
      precondition(FileManager.default.createFile(atPath: url.path, contents: nil))
      precondition(chmod(url.path, 0o400) == 0)
      let store = try Store(.inMemory, entities: [Note.self])
      try store.commit { try $0.insert(Note(id: 1)) }
      try store.exportJSONLines(to: url, replacingFile: true)
      var status = stat()
      stat(url.path, &status)
      precondition(status.st_mode & 0o777 == 0o400 && status.st_size > 0)
    }
  }
}
