@_spi(Storage) @testable import EntityStore
import Locking
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

@Suite(.oneThread) struct `The commits that a file keeps are the newest ones` {
  private let path = temporaryPath("undo")

  private func add(_ ids: ClosedRange<Int>, to store: Store) throws {
    for id in ids {
      try store.commit(named: "\(id)") { try $0.insert(Car(id: id, model: "\(id)")) }
    }
  }

  private func names() throws -> [Int] {
    let sql = "SELECT name FROM signalbox_history WHERE isRedo = 0 ORDER BY version"
    return try RawDatabase(path).rows(sql).compactMap { $0[0].flatMap { Int($0) } }
  }

  @Test func `S9: the oldest ones are found without reading all, if no other store has written`()
    throws
  {
    let storage = try SQLiteStorage(
      path: path, durability: .normal, watching: .none, historyLimit: 5)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    func expect(_ expected: ClosedRange<Int>, readings: Int) throws {
      expectEqual(try names(), Array(expected))
      expectEqual(storage.openWriter?.history?.readings, readings)
    }
    try add(1...20, to: store)
    try expect(16...20, readings: 1)
    try store.undo()
    try expect(16...19, readings: 1)
    try store.redo()
    try store.commit { try $0.insert(Car(id: 100, model: "100")) }
    try add(21...23, to: store)
    try expect(19...23, readings: 1)

    let other = try Store(
      .sqlite(path: path, durability: .normal, watching: .none, historyLimit: 9),
      entities: [Person.self, Car.self])
    try add(24...30, to: other)
    try expect(22...30, readings: 1)
    try add(31...31, to: store)
    try expect(27...31, readings: 2)

    // A transaction that is rolled back takes its row along.
    let transaction = try storage.begin()
    storage.keep(HistoryUpdate(name: "0", isRedo: false, origin: nil, earlier: 5, limit: 5))
    let car = Car(id: 101, model: "101")
    try transaction.apply(
      NetChanges([ObjectChange(id: .integer(101), old: nil, new: EntityRow(car))]))
    transaction.rollBack()
    try expect(27...31, readings: 2)
    try add(32...32, to: store)
    try expect(28...32, readings: 3)

    try store.clearHistory()
    try add(33...34, to: store)
    try expect(33...34, readings: 4)
    try other.clearHistory()
    try add(35...40, to: store)
    try expect(36...40, readings: 5)
  }

  @Test func `S9: a commit that is undone while the limit falls can't be undone again`() throws {
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none, historyLimit: 9),
        entities: [Valve.self])
    }
    do {
      let store = try open()
      try store.commit { try $0.insert(Valve(id: 1, turns: 1)) }
      for turns in 2...3 {
        try store.commit(named: "\(turns)") { try $0.update(Valve.self, 1) { $0.turns = turns } }
      }
      duringCheck.withLock { $0 = { [weak store] in store?.historyLimit = 0 } }
      try store.undo()
      duringCheck.withLock { $0 = {} }
      #expect(try store.find(Valve.self, 1)?.turns == 2)
    }
    #expect(try open().undoNames.isEmpty)
  }
}

/// A closure that the check of a valve runs.
private let duringCheck = Locked<@Sendable () -> Void>({})

private struct Valve: Entity {
  let id: Int
  var turns: Int
  static let attributes = Attributes(.id(\Valve.id), .attribute("turns", \.turns))
  static let schema = Schema(
    attributes, Valve.init,
    rules: [
      .check("turns") { _ in
        duringCheck.withLock { $0 }()
        return true
      }
    ])
}
