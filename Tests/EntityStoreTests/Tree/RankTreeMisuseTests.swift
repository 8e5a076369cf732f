import TestSupport
import Testing

@testable import EntityStore

@Suite struct RankTreeMisuseTests {
  @Test(arguments: Misuse.allCases) func `A mistake stops the program with a sentence about it`(
    misuse: Misuse
  ) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [misuse] in
      misuse.commit()
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    // Release builds stop without a word.
    #if DEBUG
    #expect(output.contains(misuse.sentence))
    #endif
  }
}

/// A mistake of a caller.
enum Misuse: String, CaseIterable, Codable, Sendable {
  case readsEmpty, readsBeyondEnd, readsBelowZero
  case iteratesBeyondEnd, iteratesBelowZero
  case insertsBeyondEnd, insertsBelowZero
  case removesFromEmpty, removesBeyondEnd, removesBelowZero
  case updateRemovesTwice, updateRemovesDescending, updateRemovesBelowZero, updateRemovesBeyondEnd
  case updateInsertsTwice, updateInsertsBeyondEnd
  case narrowLeaves, narrowInnerNodes, wideLeaves, wideInnerNodes

  func commit() {
    var tree = RankTree(sorted: distinct(300))
    var empty = RankTree()
    switch self {
    case .readsEmpty: _ = empty[0]
    case .readsBeyondEnd: _ = tree[300]
    case .readsBelowZero: _ = tree[-1]
    case .iteratesBeyondEnd: tree.forEach(in: 290..<301) { _ in }
    case .iteratesBelowZero: tree.forEach(in: -1..<2) { _ in }
    case .insertsBeyondEnd: tree.insert(entry(0), at: 301)
    case .insertsBelowZero: tree.insert(entry(0), at: -1)
    case .removesFromEmpty: empty.remove(at: 0)
    case .removesBeyondEnd: tree.remove(at: 300)
    case .removesBelowZero: tree.remove(at: -1)
    case .updateRemovesTwice: tree.update(removing: [3, 3], inserting: [])
    case .updateRemovesDescending: tree.update(removing: [4, 3], inserting: [])
    case .updateRemovesBelowZero: tree.update(removing: [-1], inserting: [])
    case .updateRemovesBeyondEnd: tree.update(removing: [300], inserting: [])
    case .updateInsertsTwice:
      tree.update(removing: [], inserting: [(3, entry(1)), (3, entry(2))])
    case .updateInsertsBeyondEnd: tree.update(removing: [1, 2], inserting: [(299, entry(1))])
    case .narrowLeaves: _ = RankNodeWidths(leaf: 3, inner: 4)
    case .narrowInnerNodes: _ = RankNodeWidths(leaf: 4, inner: 3)
    case .wideLeaves: _ = RankNodeWidths(leaf: 1025, inner: 4)
    case .wideInnerNodes: _ = RankNodeWidths(leaf: 4, inner: 1025)
    }
  }

  var sentence: String {
    switch self {
    case .readsEmpty, .readsBeyondEnd, .readsBelowZero: "The tree has no entry at this rank"
    case .iteratesBeyondEnd, .iteratesBelowZero: "The tree has no such ranks"
    case .insertsBeyondEnd, .insertsBelowZero: "An entry can't be inserted beyond the ends"
    case .removesFromEmpty, .removesBeyondEnd, .removesBelowZero:
      "The tree has no entry at this rank to remove"
    case .updateRemovesTwice, .updateRemovesDescending, .updateRemovesBelowZero:
      "The ranks to remove aren't ascending"
    case .updateRemovesBeyondEnd: "The ranks to remove go beyond the end"
    case .updateInsertsTwice: "The ranks to insert at aren't ascending"
    case .updateInsertsBeyondEnd: "The ranks to insert at go beyond the end"
    case .narrowLeaves, .narrowInnerNodes: "A node of a RankTree needs room for 4 or more"
    case .wideLeaves, .wideInnerNodes: "A node of a RankTree has room for 1024 at most"
    }
  }
}
