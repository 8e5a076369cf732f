import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite(.oneThread) struct `Random commits are undone and redone` {
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeHousehold()
    store.historyLimit = 1000
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `S9: any walk back and forth, with new commits between, is that of a list of states`(
    _ storage: TestStorage
  ) throws {
    try withEvery("seed", in: 0..<(storage == .memory ? 40 : 6)) { seed in
      var random = RandomHousehold(seed: 1000 + seed)
      try random.walk(60, in: makeStore(storage))
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S9: with others' commits between, each step is exact, or refused without effect`(
    _ storage: TestStorage
  ) throws {
    var steps = 0
    var refusals = 0
    try withEvery("seed", in: 0..<(storage == .memory ? 60 : 8)) { seed in
      var random = RandomHousehold(seed: 2000 + seed)
      let store = try makeStore(storage)
      for number in 0..<50 {
        if random.chance(0.5) {
          random.commit(store, named: random.chance(0.5) ? "\(number)" : nil)
          continue
        }
        let isUndo = random.chance(0.6)
        let before = try store.dump()
        let commits = Recorder(store.commits)
        func step(_ isUndo: Bool) throws -> String? {
          isUndo ? try store.undo() : try store.redo()
        }
        do {
          guard let name = try step(isUndo) else { continue }
          steps += 1
          expectEqual(before.names[isUndo ? 0 : 1].last, name)
          // There and back: what a step has done, delete rules included, is given back.
          let after = try store.contents()
          expectEqual(try step(!isUndo), name)
          expectEqual(try store.contents(), before.version.rows)
          expectEqual([store.undoNames, store.redoNames], before.names)
          expectEqual(try step(isUndo), name)
          expectEqual(try store.contents(), after)
          expectEqual(commits.values.count, 3)
        } catch let error as StoreError {
          refusals += 1
          expectSentence("\(error)")
          expectEqual(try store.dump(), before, "\(error)")
          expectTrue(commits.values.isEmpty)
        }
      }
    }
    // Both happen often enough for this to try something.
    #expect(steps > 10)
    #expect(refusals > 5)
  }
}
