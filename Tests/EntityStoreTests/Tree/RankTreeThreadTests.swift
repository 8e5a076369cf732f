import Foundation
import TestSupport
import Testing

@testable import EntityStore

@Suite struct RankTreeThreadTests {
  @Test func `Threads read their copies while others change theirs`() {
    for widths in [RankNodeWidths.narrow, .standard] {
      let original = CheckedTree(distinct(2000), widths: widths)
      onThreads(4) { index in
        var checked = original
        var random = SeededGenerator(seed: index)
        var copies: [CheckedTree] = []
        for step in 0..<400 {
          if index < 2 {
            // Reads what all threads hold.
            let rank = Int.random(in: 0..<2000, using: &random)
            #expect(original.tree[rank] == original.entries[rank])
            #expect(original.tree.partitioningIndex { $0.slot >= rank } == rank)
            if step % 50 == 0 { original.check() }
          } else {
            let rank = Int.random(in: 0..<checked.entries.count, using: &random)
            if random.chance(0.5) { checked.remove(at: rank) }
            if random.chance(0.5) { checked.insert(entry(5000 + step), at: rank) }
            if step % 100 == 0 { copies.append(checked) }
          }
        }
        checked.check()
        for copy in copies { copy.check() }
      }
      original.check()
    }
  }

  @Test func `Snapshots can be read and changed on other threads`() {
    var snapshots: [CheckedTree] = []
    useSnapshots { snapshots.append($0) }
    for snapshot in snapshots { snapshot.check() }
  }

  // The thread sanitizer doesn't see reference counts, so it can't know that a reader has let go of a
  // node before the writer finds it to be its own. It reports the same of a plain array.
  @Test(.disabled(if: hasThreadSanitizer))
  func `Snapshots can be dropped on other threads`() {
    useSnapshots { _ in }
  }

  /// Changes a tree while threads read and change snapshots of it.
  ///
  /// They drop the snapshots unless `keep` keeps them.
  private func useSnapshots(keep: (CheckedTree) -> Void) {
    var checked = CheckedTree(distinct(1000), widths: .narrow)
    var random = SeededGenerator(number: 1)
    var threads: [TestThread] = []
    for step in 0..<60 {
      for _ in 0..<10 {
        let rank = Int.random(in: 0..<checked.entries.count, using: &random)
        checked.insert(entry(2000 + step), at: rank)
        checked.remove(at: Int.random(in: 0..<checked.entries.count, using: &random))
      }
      let snapshot = checked
      keep(snapshot)
      threads.append(
        TestThread {
          var own = snapshot
          for rank in 0..<20 { own.remove(at: rank * 7) }
          own.check()
          snapshot.check()
        })
    }
    for thread in threads { thread.join() }
    checked.check()
  }
}

private let hasThreadSanitizer = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil
