import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite(.oneThread) struct `Two stores and another tool write to a file` {
  @Test(arguments: 0..<12)
  func `P5, F7: events lead each model from one fetch to the next`(_ seed: Int) throws {
    let path = temporaryPath()
    let stores = [
      try openGarage(path, watching: .none), try openGarage(path, watching: .none),
    ]
    let garages = try stores.map(ReplayedGarage.init)
    let raw = try RawDatabase(path)
    var writes = ForeignWrites(seed: seed)
    tried(rounds(150), "looks after random commits of two stores and a tool")
    for step in 0..<rounds(150) {
      for _ in 0..<Int.random(in: 1...4, using: &writes.generator) {
        switch Int.random(in: 0..<10, using: &writes.generator) {
        case 8:
          try raw.rows("BEGIN")
          for statement in writes.cancellingStatements() { try raw.rows(statement) }
          try raw.rows("COMMIT")
        case 9: try writes.swapThereAndBack(in: stores[1])
        case 0...2: try writes.commit(to: stores[0])
        case 3...4: try writes.commit(to: stores[1])
        case 5...6: try raw.rows(writes.statement())
        default:
          try raw.rows("BEGIN")
          for _ in 0..<3 { try raw.rows(writes.statement()) }
          try raw.rows(writes.generator.chance(0.3) ? "ROLLBACK" : "COMMIT")
        }
        if writes.generator.chance(0.02) {
          try raw.rows(
            "DELETE FROM signalbox_log WHERE version < (SELECT max(version) FROM signalbox_log)")
        }
      }
      let index = Int.random(in: 0...1, using: &writes.generator)
      try stores[index].refresh()
      let isExact = try garages[index].isExact()
      #expect(isExact, "store \(index) after step \(step)")
      if !isExact { return }
    }
    for (store, garage) in zip(stores, garages) {
      try store.refresh()
      #expect(try garage.isExact())
    }
    #expect(garages[0].lines == garages[1].lines)
  }
}
