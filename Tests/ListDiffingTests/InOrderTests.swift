import ListDiffing
import TestSupport
import Testing

@Suite struct `Changes one by one` {
  /// The changes in the order of D2, put together list by list.
  private func expected(_ changes: ListChanges) -> [ListChange] {
    var all: [ListChange] = []
    all += changes.updates.map { .row(.update(from: $0.old, to: $0.new)) }
    all += changes.updatedSections.map { .section(.update(from: $0.old, to: $0.new)) }
    all += changes.deletes.sorted(by: >).map { .row(.delete(from: $0)) }
    all += changes.deletedSections.sorted(by: >).map { .section(.delete(from: $0)) }
    let sections =
      changes.insertedSections.map { ($0, SectionChange.insert(at: $0)) }
      + changes.movedSections.map { ($0.new, .move(from: $0.old, to: $0.new)) }
    all += sections.sorted { $0.0 < $1.0 }.map { .section($0.1) }
    let rows =
      changes.inserts.map { ($0, RowChange.insert(at: $0)) }
      + changes.moves.map { ($0.new, .move(from: $0.old, to: $0.new)) }
    all += rows.sorted { $0.0 < $1.0 }.map { .row($0.1) }
    return all
  }

  @Test func `D2 They come in the order in which a list applies them, each once`() {
    var kinds: Set<ChangeKind> = []
    withEvery("seed", in: seeds(2000)) { seed in
      let changes = SectionedCase(seed: seed).changes
      let found = Array(changes.inOrder)
      expectEqual(found, expected(changes))
      expectEqual(changes.inOrder.count, changes.count)
      expectEqual(changes.inOrder.indices.map { changes.inOrder[$0] }, found)
      expectEqual(changes.inOrder.isEmpty, changes.isEmpty)
      for case .section(let change) in found { kinds.insert(change.kind) }
    }
    #expect(kinds.count == 4)
  }

  @Test func `S6: there is no change at the end`() async {
    await #expect(processExitsWith: .failure) {
      let changes = ListChanges(deletes: [ListPath(section: 0, row: 0)]).inOrder
      _ = changes[changes.endIndex]
    }
    await #expect(processExitsWith: .failure) {
      let changes = ListChanges().inOrder
      _ = changes.index(after: changes.endIndex)
    }
  }
}
