import Foundation

extension CraftedCase {
  /// What the bytes may be: the header, pages, and files beside.
  static let pages: [CraftedCase] = [
    bytes("no page size", .refused, at: 16, [0, 0]),
    bytes("a page size of 3", .refused, at: 16, [0, 3]),
    bytes("a page size of 65,536", .either, at: 16, [0, 1]),
    bytes("format versions of a later SQLite", .either, at: 18, [9, 9]),
    bytes("no log by its header", .either, at: 18, [1, 1]),
    bytes("reserved bytes", .either, at: 20, [255]),
    bytes("other fractions", .either, at: 21, [1, 2, 3]),
    bytes("a file change counter of all ones", .either, at: 24, [255, 255, 255, 255]),
    bytes("a page count of all ones", .either, at: 28, [255, 255, 255, 255]),
    bytes("a free page that isn't there", .either, at: 32, [127, 255, 255, 255, 0, 0, 0, 9]),
    bytes("a free list of a table's page", .either, at: 32, [0, 0, 0, 2, 0, 0, 0, 1]),
    bytes("a schema cookie of all ones", .right, at: 40, [255, 255, 255, 255]),
    bytes("a schema format of 9", .either, at: 44, [0, 0, 0, 9]),
    bytes("auto vacuum", .either, at: 52, [0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0]),
    bytes("UTF-16 by its header", .either, at: 56, [0, 0, 0, 2]),
    bytes("no encoding that there is", .either, at: 56, [0, 0, 0, 9]),
    bytes("a user version", .right, at: 60, [255, 255, 255, 255]),
    bytes("incremental vacuum", .either, at: 64, [0, 0, 0, 1]),
    bytes("another program's number", .refused, at: 68, [1, 2, 3, 4]),
    bytes("no program's number", .refused, at: 68, [0, 0, 0, 0]),
    bytes("another magic", .refused, at: 0, [0x4E]),
    bytes("a first page that is no tree", .refused, at: 100, [0]),
    bytes("a first page with 65,535 cells", .refused, at: 103, [255, 255]),
    bytes("cells that point everywhere", .either, at: 108, [UInt8](repeating: 0xA5, count: 64)),
    CraftedCase("pages that lead to themselves", .either) { path in
      try editBytes(path) { bytes in
        // Every page after the first is an inner one whose only child it is itself.
        for page in 2...(bytes.count / 4096) {
          let start = (page - 1) * 4096
          let number = (0..<4).map { UInt8(truncatingIfNeeded: page >> (24 - 8 * $0)) }
          bytes.replaceSubrange(start..<start + 12, with: [5, 0, 0, 0, 0, 16, 0, 0] + number)
        }
      }
    },
    CraftedCase("overflowing pages in a circle", .either) { path in
      try edit(path, "UPDATE Letter SET note = hex(zeroblob(20000)) WHERE id = 1")
      try editBytes(path) { bytes in
        for page in 10...(bytes.count / 4096) {
          let start = (page - 1) * 4096
          if bytes[start..<start + 3] == [0, 0, 0], bytes[start + 3] > 0 {
            bytes[start + 3] = UInt8(truncatingIfNeeded: page)
          }
        }
      }
    },
    CraftedCase("free pages in a circle", .either) { path in
      try edit(
        path, "CREATE TABLE big (x)", "INSERT INTO big VALUES (zeroblob(400000))", "DROP TABLE big")
      try editBytes(path) { bytes in
        let first = Array(bytes[32..<36])
        let page = first.reduce(0) { $0 << 8 | Int($1) }
        if page > 0, page * 4096 <= bytes.count {
          bytes.replaceSubrange((page - 1) * 4096..<(page - 1) * 4096 + 4, with: first)
        }
      }
    },
    CraftedCase("cut off in a page", .either) { path in
      try editBytes(path) { $0.removeLast($0.count / 2 + 7) }
    },
    CraftedCase("cut off after the header", .refused) { path in
      try editBytes(path) { $0.removeLast($0.count - 100) }
    },
    // A file of one byte is an empty one to SQLite.
    CraftedCase("one byte", .either) { path in try editBytes(path) { $0 = [0x53] } },
    CraftedCase("zeros", .refused) { path in
      try editBytes(path) { $0 = [UInt8](repeating: 0, count: 8192) }
    },
    CraftedCase("text", .refused) { path in
      try editBytes(path) { $0 = Array("id,name\n1,Ann\n".utf8) }
    },
    CraftedCase("UTF-16, made so", .either) { path in
      try FileManager.default.removeItem(atPath: path)
      try edit(
        path, "PRAGMA encoding = 'UTF-16le'", "PRAGMA application_id = 1398959992",
        "CREATE TABLE signalbox_metadata (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT",
        "CREATE TABLE signalbox_log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB) STRICT",
        "INSERT INTO signalbox_metadata VALUES ('format', 2)")
    },
  ]
}
