extension ListChanges {
  /// The single changes, in the order in which a list applies them.
  ///
  ///     for change in event.changes.inOrder {
  ///       switch change {
  ///       case .section(let change): report(change)
  ///       case .row(let change): report(change)
  ///       }
  ///     }
  ///
  /// The order is:
  ///
  /// 1. updated rows, then updated sections
  /// 2. deleted rows, from the last to the first
  /// 3. deleted sections, from the last to the first
  /// 4. inserted and moved sections, from the first to the last
  /// 5. inserted and moved rows, from the first to the last
  ///
  /// All old positions refer to the list before, all new positions to the list after. The delegate
  /// of a fetched results controller gets them in the same way. A host that carries out one step at
  /// a time uses ``ListPresentation/Pass/steps``.
  ///
  /// - Complexity: O(1). Iterating over all *k* changes takes O(*k*) time and O(1) memory.
  public var inOrder: InOrder { InOrder(self) }

  /// The single changes of a list, in the order in which it applies them: ``ListChanges/inOrder``.
  ///
  ///     for change in diff.changes.inOrder { print(change) }
  public struct InOrder: Collection, Sendable {
    /// A position among the changes.
    public struct Index: Comparable, Sendable {
      /// The kind of the change, by its position in the order.
      fileprivate var stage: Int
      /// The number of preceding changes of that kind.
      ///
      /// If two kinds are merged, each has its own number.
      fileprivate var first = 0
      fileprivate var second = 0

      /// Returns true if `left` precedes `right`.
      public static func < (left: Index, right: Index) -> Bool {
        (left.stage, left.first + left.second) < (right.stage, right.first + right.second)
      }
    }

    private static var stageCount: Int { 6 }

    private let changes: ListChanges

    fileprivate init(_ changes: ListChanges) { self.changes = changes }

    /// The index of the first change.
    public var startIndex: Index { skippingEmpty(Index(stage: 0)) }

    /// The index after the last change.
    public var endIndex: Index { Index(stage: Self.stageCount) }

    /// The number of changes.
    public var count: Int { changes.count }

    /// Returns the index after the given one.
    ///
    /// - Complexity: O(1)
    public func index(after index: Index) -> Index {
      _mustHold(index.stage < Self.stageCount, "There is no change after the last one")
      var next = index
      if isFirst(index) { next.first += 1 } else { next.second += 1 }
      return skippingEmpty(next)
    }

    /// The change at an index.
    ///
    /// - Complexity: O(1)
    public subscript(index: Index) -> ListChange {
      _mustHold(index.stage < Self.stageCount, "There is no change at the end")
      let place = index.first
      switch index.stage {
      case 0:
        let change = changes.updates[place]
        return .row(.update(from: change.old, to: change.new))
      case 1:
        let change = changes.updatedSections[place]
        return .section(.update(from: change.old, to: change.new))
      case 2: return .row(.delete(from: changes.deletes[changes.deletes.count - 1 - place]))
      case 3:
        let positions = changes.deletedSections
        return .section(.delete(from: positions[positions.count - 1 - place]))
      case 4:
        if isFirst(index) { return .section(.insert(at: changes.insertedSections[place])) }
        let change = changes.movedSections[index.second]
        return .section(.move(from: change.old, to: change.new))
      default:
        if isFirst(index) { return .row(.insert(at: changes.inserts[place])) }
        let change = changes.moves[index.second]
        return .row(.move(from: change.old, to: change.new))
      }
    }

    /// Returns the number of changes in a stage, for each of the kinds that are merged.
    private func sizes(_ stage: Int) -> (first: Int, second: Int) {
      switch stage {
      case 0: (changes.updates.count, 0)
      case 1: (changes.updatedSections.count, 0)
      case 2: (changes.deletes.count, 0)
      case 3: (changes.deletedSections.count, 0)
      case 4: (changes.insertedSections.count, changes.movedSections.count)
      default: (changes.inserts.count, changes.moves.count)
      }
    }

    /// Returns true if the next change of the two merged kinds is of the first kind.
    private func isFirst(_ index: Index) -> Bool {
      let sizes = sizes(index.stage)
      if index.second == sizes.second { return true }
      if index.first == sizes.first { return false }
      return index.stage == 4
        ? changes.insertedSections[index.first] < changes.movedSections[index.second].new
        : changes.inserts[index.first] < changes.moves[index.second].new
    }

    /// Returns the first index, starting with the given one, that has a change, or the end if there
    /// is none.
    private func skippingEmpty(_ index: Index) -> Index {
      var index = index
      while index.stage < Self.stageCount, (index.first, index.second) == sizes(index.stage) {
        index = Index(stage: index.stage + 1)
      }
      return index
    }
  }
}
