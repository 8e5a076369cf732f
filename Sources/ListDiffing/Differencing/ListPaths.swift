/// Where identifiers are in the list before and in the list after.
///
///     let paths = ListDiff(from: [1, 2], to: [2, 3]).paths
///     paths.oldPath(for: 2)  // 0.1
///     paths.newPath(for: 2)  // 0.0
///     paths.newPath(for: 1)  // nil
///
/// A difference makes it when asked for, since most of its users don't need it. Keep it for as long as there
/// is something to look up. Of an identifier that a list repeats, the first path counts.
///
/// - Complexity: Making it is O(*n*), where *n* is the number of rows of both lists; looking up is O(1).
public struct ListPaths<Identifier: Hashable> {
  private var oldPaths: [Identifier: ListPath] = [:]
  private var newPaths: [Identifier: ListPath] = [:]

  init(old: [[Identifier]], new: [[Identifier]]) {
    oldPaths = Self.paths(in: old)
    newPaths = Self.paths(in: new)
  }

  private static func paths(in list: [[Identifier]]) -> [Identifier: ListPath] {
    var paths: [Identifier: ListPath] = [:]
    paths.reserveCapacity(list.reduce(0) { $0 + $1.count })
    for (section, rows) in list.enumerated() {
      for (row, identifier) in rows.enumerated() where paths[identifier] == nil {
        paths[identifier] = ListPath(section: section, row: row)
      }
    }
    return paths
  }

  /// The path of an identifier in the list before; nil if it wasn't there.
  public func oldPath(for identifier: Identifier) -> ListPath? { oldPaths[identifier] }

  /// The path of an identifier in the list after; nil if it isn't there.
  public func newPath(for identifier: Identifier) -> ListPath? { newPaths[identifier] }
}

extension ListPaths: Sendable where Identifier: Sendable {}

extension ListDiff {
  /// Where the identifiers of both lists are; made anew each time.
  public var paths: ListPaths<Element.DiffIdentifier> {
    ListPaths(old: [old.map(\.diffIdentifier)], new: [new.map(\.diffIdentifier)])
  }
}

extension SectionedListDiff {
  /// Where the identifiers of the rows of both lists are; made anew each time.
  public var paths: ListPaths<Row.DiffIdentifier> {
    ListPaths(
      old: old.map { $0.rows.map(\.diffIdentifier) }, new: new.map { $0.rows.map(\.diffIdentifier) }
    )
  }
}
