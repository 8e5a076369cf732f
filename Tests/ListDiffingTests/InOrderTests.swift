import ListDiffing
import TestSupport
import Testing

@Suite struct `Changes one by one` {
  /// Returns the place of a change in the order of D2: its stage, and its position there.
  ///
  /// Deletions come from the last to the first, so their positions are negative.
  private func place(_ change: ListChange) -> [Int] {
    switch change {
    case .row(.update(let old, _)): [0, old.section, old.row]
    case .section(.update(let old, _)): [1, old]
    case .row(.delete(let old)): [2, -old.section, -old.row]
    case .section(.delete(let old)): [3, -old]
    case .section(.insert(let new)), .section(.move(_, let new)): [4, new]
    case .row(.insert(let new)), .row(.move(_, let new)): [5, new.section, new.row]
    }
  }

  @Test func `D2 They come in the order in which a list applies them, each once`() {
    var kinds: Set<ChangeKind> = []
    withEvery("seed", in: seeds(2000)) { seed in
      let changes = SectionedCase(seed: seed).changes
      let found = changes.inOrder
      let places = found.map(place)
      for (first, second) in zip(places, places.dropFirst()) {
        expectTrue(first.lexicographicallyPrecedes(second))
      }
      let words: [String] =
        changes.isEmpty ? [] : "\(changes)".split(separator: ", ").map { String($0) }
      expectEqual(found.map(\.description).sorted(), words.sorted())
      for case .section(let change) in found { kinds.insert(change.kind) }
    }
    #expect(kinds.count == 4)
  }
}
