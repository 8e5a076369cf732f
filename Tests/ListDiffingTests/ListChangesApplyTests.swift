import ListDiffing
import TestSupport
import Testing

@Suite struct `Applying changes` {
  @Test func `D2 Sectioned changes lead from the list before to the list after, and back`() {
    withEvery("seed", in: seeds(25_000)) { seed in
      let test = SectionedCase(seed: seed)
      do {
        try test.changes.validate(
          old: test.old.map(\.rows.count), new: test.new.map(\.rows.count))
        try test.changes.inverted.validate(
          old: test.new.map(\.rows.count), new: test.old.map(\.rows.count))
      } catch {
        return recordIssue("\(test.changes) is refused: \(error)")
      }
      var list = test.old
      test.changes.apply(to: &list, header: { test.new[$0].header }, row: { test.new[$0] })
      expectEqual(list, test.new, "\(test.changes)")
      test.changes.inverted.apply(
        to: &list, header: { test.old[$0].header }, row: { test.old[$0] })
      expectEqual(list, test.old, "\(test.changes.inverted)")
    }
  }

  @Test func `D2 Rows that did not change are not asked for, the others once and in order`() {
    withEvery("seed", in: seeds(500)) { seed in
      let test = SectionedCase(seed: seed)
      var rows: [ListPath] = []
      var headers: [Int] = []
      var list = test.old
      test.changes.apply(
        to: &list,
        header: { position in
          headers.append(position)
          return test.new[position].header
        },
        row: { path in
          rows.append(path)
          return test.new[path]
        })
      let changes = test.changes
      expectEqual(
        rows, changes.updates.map(\.new) + (changes.inserts + changes.moves.map(\.new)).sorted())
      expectEqual(
        headers,
        changes.updatedSections.map(\.new)
          + (changes.insertedSections + changes.movedSections.map(\.new)).sorted())
    }
  }

  @Test(arguments: [
    ("ABC", "XBC", ListChanges(deletes: [path(0)], inserts: [path(0)])),
    ("ABCD", "XABC", ListChanges(deletes: [path(3)], inserts: [path(0)])),
    ("ABC", "Bc", ListChanges(deletes: [path(0)], updates: [change(2, 1)])),
    ("ABCD", "dBC", ListChanges(deletes: [path(0)], moves: [change(3, 0)])),
    ("ABC", "cBa", ListChanges(moves: [change(2, 0), change(0, 2)])),
  ])
  func `D2 The batches that the naive order gets wrong come out right`(
    old: String, new: String, changes: ListChanges
  ) throws {
    let new = Array(new)
    var list = Array(old)
    try changes.validate(old: [old.count], new: [new.count])
    changes.apply(to: &list) { new[$0.row] }
    #expect(list == new)
    changes.inverted.apply(to: &list) { Array(old)[$0.row] }
    #expect(list == Array(old))
  }

  @Test func `D2 Every subset of rows can go and any can come, by few steps and in one pass`() {
    let sets = subsets(of: Array(0..<9))
    withEvery("removed", in: sets) { removed in
      let changes = ListChanges(deletes: removed.map { path($0) })
      let left = (0..<9).filter { !removed.contains($0) }
      var list = Array(0..<9)
      changes.apply(to: &list) { $0.row }
      expectEqual(list, left)
      changes.inverted.apply(to: &list) { $0.row }
      expectEqual(list, Array(0..<9))
    }
  }

  @Test func `A slice and a contiguous array are lists too, wherever their indices start`() {
    let changes = ListChanges(deletes: (0..<6).map { path($0) }, inserts: (1..<7).map { path($0) })
    var slice = Array(0..<20)[5..<15]
    changes.apply(to: &slice) { -$0.row }
    #expect(Array(slice) == [11, -1, -2, -3, -4, -5, -6, 12, 13, 14])
    var contiguous = ContiguousArray(5..<15)
    changes.apply(to: &contiguous) { -$0.row }
    #expect(Array(contiguous) == Array(slice))
  }

  @Test func `D2 If a row can't be made the list is as it was`() {
    struct Failure: Error {}
    withEvery("seed", in: seeds(2_000)) { seed in
      let test = SectionedCase(seed: seed)
      let fresh = test.changes.updates.count + test.changes.inserts.count + test.changes.moves.count
      for limit in 0..<min(fresh, 3) {
        var list = test.old
        var asked = 0
        do {
          try test.changes.apply(to: &list, header: { test.new[$0].header }) { path in
            asked += 1
            if asked > limit { throw Failure() }
            return test.new[path]
          }
          recordIssue("It didn't throw.")
        } catch {
          expectEqual(list, test.old)
        }
      }
    }
    var list = [1, 2, 3]
    #expect(throws: Failure.self) {
      try ListChanges(deletes: [path(0)], inserts: [path(0)], updates: [change(1, 1)])
        .apply(to: &list) { path in
          if path.row == 0 { throw Failure() }
          return 9
        }
    }
    #expect(list == [1, 2, 3])
  }

  @Test func `Old rows are released, and no copy of the list is left behind`() {
    LifetimeTracker.check { tracker in
      var list = (0..<40).map { _ in tracker.track() }
      let changes = ListChanges(deletes: (3..<30).map { path($0) }, moves: [change(35, 2)])
      changes.apply(to: &list) { _ in tracker.track() }
      expectEqual(list.count, 13)
      expectEqual(tracker.aliveCount, 13)
    }
  }
}
