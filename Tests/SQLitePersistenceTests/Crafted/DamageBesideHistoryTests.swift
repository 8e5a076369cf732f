import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.plainFile) struct `S9, P6: commits that can be undone, beside a damaged table` {
  private let path = temporaryPath()

  private func open() throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none, historyLimit: 9),
      entities: [Letter.self, Stamp.self])
  }

  /// Keeps a commit, and damages a table of another program.
  init() throws {
    try makeLetters(path)
    try open().commit(named: "a stamp") { try $0.insert(Stamp(id: "c", value: 2)) }
    try edit(path, "CREATE TABLE others (x)", "INSERT INTO others VALUES (1)")
    let tree = try CraftedTree(path, of: "others")
    try editBytes(path) { tree.chain(&$0, width: 300, depth: 8) }
  }

  @Test func `are cleared, since no other table is read for that`() throws {
    let store = try open()
    #expect(store.undoNames == ["a stamp"])
    try store.clearHistory()
    #expect(store.undoNames.isEmpty)
    #expect(try RawDatabase(path).value("SELECT count(*) FROM signalbox_history") == "0")
  }

  @Test func `are cleared by a commit that is too large to be kept`() throws {
    let store = try open()
    let picture = [UInt8](repeating: 7, count: 5 << 20)
    try store.commit(named: "a picture") { draft in
      try draft.update(Stamp.self, "c") { $0.picture = picture }
    }
    #expect(try store.find(Stamp.self, "c")?.picture?.count == picture.count)
    #expect(try RawDatabase(path).value("SELECT count(*) FROM signalbox_history") == "0")
  }
}
