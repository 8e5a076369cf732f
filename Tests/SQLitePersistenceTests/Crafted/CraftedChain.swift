import Foundation

/// Where a file's trees are, in its bytes.
struct CraftedTree {
  private let size: Int
  private let root: Int

  /// The tree of a table or an index, whose file is moved out of its log.
  init(_ path: String, of name: String) throws {
    let file = try RawDatabase(path)
    try file.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    size = Int(try file.value("PRAGMA page_size") ?? "") ?? 0
    root =
      name == "sqlite_master"
      ? 1
      : Int(
        try file.value(
          "SELECT rootpage FROM sqlite_master WHERE name LIKE '\(name)' AND rootpage > 0") ?? "")
        ?? 0
  }

  /// Puts so many inner pages as `depth` says over the tree's only page, each of which leads to the next one `width`
  /// times.
  func chain(_ bytes: inout [UInt8], width: Int, depth: Int) {
    guard root > 0 else { return }
    let count = bytes.count / size
    let start = (root - 1) * size + (root == 1 ? 100 : 0)
    guard bytes[start] == 13 || bytes[start] == 10 else { return }
    let isTable = bytes[start] == 13
    var leaf = Array(bytes[(root - 1) * size..<root * size])
    if root == 1 {
      // Its cells stay where they are; their list goes to the page's beginning.
      let cells = (Int(leaf[103]) << 8 | Int(leaf[104])) * 2
      leaf.replaceSubrange(0..<8 + cells, with: Array(leaf[100..<108 + cells]))
    }
    let first = bytes[start + 8..<start + 10].reduce(0) { $0 << 8 | Int($1) }
    let payload = Array(leaf[first..<first + 1 + Int(leaf[first])])
    for level in 0..<depth {
      let next = count + level + 1
      let place = level == 0 ? root : count + level
      let header = place == 1 ? 100 : 0
      var page = [UInt8](repeating: 0, count: size)
      var end = size
      var pointers: [UInt8] = []
      for key in 0..<width {
        let cell = number(next) + (isTable ? [UInt8(key & 127)] : payload)
        if end - cell.count < header + 12 + 2 * width { break }
        end -= cell.count
        page.replaceSubrange(end..<end + cell.count, with: cell)
        pointers += [UInt8(end >> 8), UInt8(end & 255)]
      }
      let cells = pointers.count / 2
      let top: [UInt8] =
        [isTable ? 5 : 2, 0, 0, UInt8(cells >> 8), UInt8(cells & 255), UInt8(end >> 8)]
        + [UInt8(end & 255), 0] + number(next) + pointers
      page.replaceSubrange(header..<header + top.count, with: top)
      if place == 1 { page.replaceSubrange(0..<100, with: bytes[0..<100]) }
      if level == 0 {
        bytes.replaceSubrange((place - 1) * size..<place * size, with: page)
      } else {
        bytes += page
      }
    }
    bytes += leaf
    bytes.replaceSubrange(28..<32, with: number(count + depth))
  }

  private func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}

extension CraftedCase {
  private static func chain(_ name: String, width: Int, depth: Int, _ setup: String...)
    -> CraftedCase
  {
    let title = "\(setup.last ?? name) with \(depth) pages that lead \(width) times to the next"
    return CraftedCase(title, .either) { path in
      do {
        let file = try RawDatabase(path)
        for sql in setup { try file.rows(sql) }
      }
      let tree = try CraftedTree(path, of: name)
      try editBytes(path) { tree.chain(&$0, width: width, depth: depth) }
    }
  }

  private static let trees = [
    "Letter", "Stamp", "sqlite_autoindex_Stamp_1", "sqlite_autoindex_Stamp_2",
    "signalbox_index on \"Letter\"%", "signalbox_log", "signalbox_metadata", "signalbox_schemas",
    "signalbox_migrations", "signalbox_names", "sqlite_autoindex_signalbox_metadata_1",
    "sqlite_master",
  ]

  /// Trees whose pages lead to the same page many times: a scan of one has more rows than there is time.
  static let chains: [CraftedCase] =
    trees.map { chain($0, width: 300, depth: 6) } + trees.map { chain($0, width: 1, depth: 1) }
    + [
      chain("sqlite_stat1", width: 300, depth: 6, "ANALYZE"),
      chain(
        "extra", width: 300, depth: 6,
        "CREATE INDEX extra ON Letter(name, note) WHERE note IS NOT NULL"),
      chain("extra", width: 300, depth: 6, "CREATE INDEX extra ON Letter(name, hex(note), note)"),
      chain("extra", width: 300, depth: 6, "CREATE INDEX extra ON Letter(name, note)"),
      chain(
        "others", width: 300, depth: 6, "CREATE TABLE others (x)", "INSERT INTO others VALUES (1)"),
      chain(
        "keyed", width: 300, depth: 6,
        "CREATE TABLE keyed (k PRIMARY KEY, l REFERENCES Letter) WITHOUT ROWID",
        "INSERT INTO keyed VALUES (1, 1)"),
      chain(
        "named", width: 300, depth: 6,
        "CREATE TABLE named (rowid, oid, _rowid_, l REFERENCES Letter)",
        "INSERT INTO named VALUES (1, 1, 1, 1)"),
    ]
}
