public import EntityStore
internal import ListDiffing
internal import Locking

/// One section of a snapshot, and a collection of its rows.
///
/// In a window it has the rows that are in the window.
public struct SectionInfo<E: Entity>: RandomAccessCollection, Sendable {
  let result: ResultView
  private let key: SectionKey
  let tree: RankTree
  /// The section's position.
  let position: Int
  private let range: Range<Int>

  init(_ result: ResultView, _ position: Int) {
    self.result = result
    self.position = position
    key = result.key(ofSection: position)
    range = result.rows(ofSection: position)
    tree = result.tree(ofSection: position)
  }

  /// The title.
  ///
  /// A nil key is a section titled "".
  public var name: String { key.title }

  /// What tells the section from others, as it is stored.
  public var identity: StoredValue { key.identity }

  /// What the section is ordered by, as it is stored; nil in a result without sections.
  public var orderKey: StoredValue? { key.order.first }

  /// The title's first character, in upper case.
  public var indexTitle: String { key.title.first.map { String($0).uppercased() } ?? "" }

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of rows.
  public var endIndex: Int { range.count }

  /// The row at a position.
  ///
  /// - Complexity: O(log *n*) where *n* is the number of rows.
  public subscript(position: Int) -> EntityView<E> {
    if position < 0 || position >= range.count { noRow(position) }
    return EntityView(result.base.row(tree[range.lowerBound + position]), result.plan)
  }

  @inline(never) private func noRow(_ position: Int) -> Never {
    mistake("There is no row \(position) in section \"\(name)\"; it has \(range.count)")
  }

  /// The rows of the section, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows, of which each takes O(log *n*) where it is read by itself.
  public var rows: [EntityView<E>] {
    var rows: [EntityView<E>] = []
    rows.reserveCapacity(range.count)
    tree.forEach(in: range) { entry in
      rows.append(EntityView(result.base.row(entry), result.plan))
    }
    return rows
  }
}

extension SectionInfo {
  /// What tells the section from all others.
  public var id: SectionID { SectionID(identity: identity) }
}
