import EntityStore
import Foundation

extension CraftedCase {
  private static func place(_ name: String, _ craft: @escaping @Sendable (String) throws -> Void)
    -> CraftedCase
  {
    CraftedCase(name, .refused) { path in
      try? FileManager.default.removeItem(atPath: path)
      try craft(path)
    }
  }

  /// What may stand in the place of the file and beside it.
  static let places: [CraftedCase] = [
    place("a folder") {
      try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: true)
    },
    place("a pipe") { mkfifo($0, 0o600) },
    place("a link to a device") { symlink("/dev/zero", $0) },
    place("a link to a terminal's device") { symlink("/dev/tty", $0) },
    place("a link to itself") { symlink($0, $0) },
    place("a link to another program's database") {
      symlink(folder(of: $0) + "/victim.db", $0)
    },
    CraftedCase("a link to a store", .right) { path in
      let real = folder(of: path) + "/real.db"
      try FileManager.default.moveItem(atPath: path, toPath: real)
      symlink(real, path)
    },
    CraftedCase("a pipe as its log", .refused) { mkfifo($0 + "-wal", 0o600) },
    CraftedCase("a pipe as its journal", .refused) { mkfifo($0 + "-journal", 0o600) },
    CraftedCase("a link as its log", .refused) {
      symlink(folder(of: $0) + "/victim.txt", $0 + "-wal")
    },
    CraftedCase("a link as its shared memory", .refused) {
      symlink(folder(of: $0) + "/victim.txt", $0 + "-shm")
    },
    CraftedCase("a log of rubbish", .right) {
      try Data([UInt8](repeating: 7, count: 9000)).write(to: URL(fileURLWithPath: $0 + "-wal"))
    },
    CraftedCase("shared memory of rubbish", .right) {
      try Data([UInt8](repeating: 7, count: 32768)).write(to: URL(fileURLWithPath: $0 + "-shm"))
    },
    CraftedCase("another file's log", .either) { path in
      let other = path + ".before-migration"
      try makeLetters(other)
      let store = try openLetters(other)
      try store.commit { try $0.insert(Letter(id: 9, name: "other")) }
      try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal")
      withExtendedLifetime(store) {}
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: other + suffix)
      }
    },
    CraftedCase("a journal that names another file", .refused) { path in
      let victim = folder(of: path) + "/victim.txt"
      try hotJournal(path, naming: victim)
    },
    CraftedCase("a journal that puts back rubbish", .either) { try hotJournal($0, naming: nil) },
  ]

  private static func folder(of path: String) -> String {
    (path as NSString).deletingLastPathComponent
  }

  /// Makes a journal that SQLite plays back: its header and, at its end, the name of a file that all the
  /// databases of one transaction share, which SQLite deletes afterwards.
  private static func hotJournal(_ path: String, naming name: String?) throws {
    try editBytes(path) { bytes in
      // Without a log.
      bytes.replaceSubrange(18..<20, with: [1, 1])
    }
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let size = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) / 4096
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    var journal = magic + number(0) + number(0) + number(size) + number(512) + number(4096)
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    if let name {
      let text = Array(name.utf8)
      let sum = text.reduce(0) { $0 + Int($1) }
      // The number of the page that locks are taken on.
      journal += number(262145) + text + number(text.count) + number(sum) + magic
    }
    try Data(journal).write(to: URL(fileURLWithPath: path + "-journal"))
  }
}
