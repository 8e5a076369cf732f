@_spi(Storage) import EntityStore
import Foundation
import SQLitePersistence
import TestSupport

/// A kind of file that somebody has made by hand.
struct CraftedCase: Sendable {
  enum Outcome: Sendable {
    /// Opening it is refused.
    case refused
    /// It has the objects that were made.
    case right
    /// Whatever it is, it is an error or some objects.
    case either
  }

  let name: String
  let outcome: Outcome
  /// Makes the file of one that has some letters, which is closed.
  let craft: @Sendable (_ path: String) throws -> Void

  init(
    _ name: String, _ outcome: Outcome, _ craft: @escaping @Sendable (_ path: String) throws -> Void
  ) {
    self.name = name
    self.outcome = outcome
    self.craft = craft
  }

  /// One whose text of a table, index, trigger or view is what no program would write.
  static func text(_ name: String, _ outcome: Outcome, _ edits: String...) -> CraftedCase {
    CraftedCase(name, outcome) { try editSchema($0, edits) }
  }

  /// One that was changed with plain SQL.
  static func sql(_ name: String, _ outcome: Outcome, _ statements: String...) -> CraftedCase {
    CraftedCase(name, outcome) { path in
      let file = try RawDatabase(path)
      for statement in statements { try file.rows(statement) }
    }
  }

  /// One whose table of letters is another program's.
  static func table(_ name: String, _ outcome: Outcome, _ sql: String, fill: Bool = false)
    -> CraftedCase
  {
    CraftedCase(name, outcome) { path in
      let file = try RawDatabase(path)
      try file.rows("CREATE TEMP TABLE kept AS SELECT * FROM Letter")
      try file.rows("DROP TABLE Letter")
      try file.rows(sql)
      if fill {
        try file.rows("INSERT INTO Letter (id, name, note) SELECT id, name, note FROM kept")
      }
    }
  }

  /// One with other bytes at a place.
  static func bytes(_ name: String, _ outcome: Outcome, at place: Int, _ new: [UInt8])
    -> CraftedCase
  {
    CraftedCase(name, outcome) { path in
      try editBytes(path) { bytes in
        for (index, byte) in new.enumerated() where place + index < bytes.count {
          bytes[place + index] = byte
        }
      }
    }
  }
}

extension CraftedCase {
  /// In how many ways one is visited: as it is, before a lightweight migration, and before a named one.
  static let ways = 3

  /// All kinds there are.
  static let all = schemas + tables + contents + pages + places + chains

  /// What is wrong with what happens.
  func problems() -> [String] {
    do { return try check() } catch { return ["\(name): \(error)"] }
  }

  /// Makes a file in a folder of its own beside a victim, visits it, and gives what is wrong with that.
  private func check() throws -> [String] {
    let folder = temporaryPath("crafted")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/store.db"
    do {
      let victim = try RawDatabase(folder + "/victim.db")
      try victim.rows("CREATE TABLE accounts (balance INTEGER)")
      try victim.rows("INSERT INTO accounts VALUES (100)")
    }
    try Data("keep".utf8).write(to: URL(fileURLWithPath: folder + "/victim.txt"))
    try makeLetters(path)
    try craft(path)
    var found: [String] = []
    let before = try FolderContents(folder, but: "store.db")
    let isFile = FileManager.default.contents(atPath: path) != nil
    let untouched = isFile ? try Data(contentsOf: URL(fileURLWithPath: path)) : nil
    let visit = try CraftedVisit(name, path)
    switch outcome {
    case .refused where visit.refusal == nil: found.append("it was opened")
    case .right where visit.letters != madeLetters || visit.stamps != madeStamps:
      found.append(
        "it has \(visit.letters ?? []), \(visit.stamps ?? []); \(visit.refusal.map { "\($0)" } ?? "")"
      )
    default: break
    }
    if try FolderContents(folder, but: "store.db") != before {
      found.append("it reached other files")
    }
    // The same before a lightweight migration, which makes the table again, and a named one.
    if isFile, let untouched {
      for suffix in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      try untouched.write(to: URL(fileURLWithPath: path))
      try? editSchema(
        path,
        [
          "UPDATE sqlite_master SET sql = replace(sql, '\"name\" TEXT NOT NULL', '\"name\" TEXT') "
            + "WHERE name = 'Letter'"
        ])
      _ = try CraftedVisit(name + ", made again", path)
      try untouched.write(to: URL(fileURLWithPath: path))
      for suffix in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      let rewriting = Migration("rewrite") { context in
        for entity in try context.entities { try context.rewrite(entity) { $0 } }
      }
      _ = try CraftedVisit(name + ", rewritten", path, migrations: [rewriting])
    }
    if try FolderContents(folder, but: "store.db") != before {
      found.append("a migration of it reached other files")
    }
    try? FileManager.default.removeItem(atPath: folder)
    return found.map { "\(name): \($0)" }
  }
}
