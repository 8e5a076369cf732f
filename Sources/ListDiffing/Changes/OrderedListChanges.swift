extension ListChanges {
  /// Each change by itself, in the order in which a list applies them.
  ///
  ///     for change in event.changes.inOrder {
  ///       switch change {
  ///       case .section(let change): tell(change)
  ///       case .row(let change): tell(change)
  ///       }
  ///     }
  ///
  /// Updated rows and sections come first; then deleted rows, the last first; deleted sections, the last first;
  /// inserted and moved sections, the first first; inserted and moved rows, the first first. All old paths and
  /// positions refer to the list before, all new ones to the list after, as in the delegate of a fetched results
  /// controller. A host that carries out one step at a time uses ``ListPass/steps``.
  ///
  /// - Complexity: O(1); going through all of them takes O(*k*) time and O(1) memory for *k* changes.
  public var inOrder: OrderedListChanges { OrderedListChanges(self) }
}

/// The single changes of a list, in the order in which it applies them: ``ListChanges/inOrder``.
public struct OrderedListChanges: Collection, Sendable {
  /// A place among the changes.
  public struct Index: Comparable, Sendable {
    /// Which of the kinds, as they follow each other.
    fileprivate var stage: Int
    /// How many of that kind come before; where two kinds are merged, of each.
    fileprivate var first = 0
    fileprivate var second = 0

    /// Whether an index comes before another one.
    public static func < (left: Index, right: Index) -> Bool {
      (left.stage, left.first + left.second) < (right.stage, right.first + right.second)
    }
  }

  private static var stageCount: Int { 6 }

  private let changes: ListChanges

  fileprivate init(_ changes: ListChanges) { self.changes = changes }

  /// The place of the first change.
  public var startIndex: Index { skippingEmpty(Index(stage: 0)) }

  /// The place after the last one.
  public var endIndex: Index { Index(stage: Self.stageCount) }

  /// The number of changes.
  public var count: Int { changes.count }

  /// The place after another one.
  ///
  /// - Complexity: O(1)
  public func index(after index: Index) -> Index {
    _mustHold(index.stage < Self.stageCount, "There is no change after the last one")
    var next = index
    if isFirst(index) { next.first += 1 } else { next.second += 1 }
    return skippingEmpty(next)
  }

  /// The change at a place.
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

  /// How many changes a stage has, of each of the kinds that are merged.
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

  /// Whether the next of the two kinds that are merged is one of the first.
  private func isFirst(_ index: Index) -> Bool {
    let sizes = sizes(index.stage)
    if index.second == sizes.second { return true }
    if index.first == sizes.first { return false }
    return index.stage == 4
      ? changes.insertedSections[index.first] < changes.movedSections[index.second].new
      : changes.inserts[index.first] < changes.moves[index.second].new
  }

  /// The first place, from one on, that has a change; the end if none has.
  private func skippingEmpty(_ index: Index) -> Index {
    var index = index
    while index.stage < Self.stageCount, (index.first, index.second) == sizes(index.stage) {
      index = Index(stage: index.stage + 1)
    }
    return index
  }
}
