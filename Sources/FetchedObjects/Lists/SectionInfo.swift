public import EntityStore
internal import ListDiffing
internal import Locking

/// A section of a snapshot, and a collection of its rows.
///
///     let section = cars.snapshot.sections[0]
///     print(section.name, section.count)
///     for car in section { print(car.model) }
///
/// In a window, it has only the rows that are in the window.
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
  /// The section of a nil key has the title "".
  public var name: String { key.title }

  /// The value that distinguishes the section from others, as it is stored.
  public var identity: StoredValue { key.identity }

  /// The stored value by which the section is ordered, or nil in a result without sections.
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
  /// - Complexity: O(*n*) where *n* is the number of rows. Reading a single row takes O(log *n*).
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
  /// The id that distinguishes the section from all others.
  public var id: SectionID { SectionID(identity: identity) }
}
