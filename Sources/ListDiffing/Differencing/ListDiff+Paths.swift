extension ListDiff {
  /// The paths of identifiers in the list before and in the list after.
  ///
  ///     let paths = ListDiff(from: [1, 2], to: [2, 3]).paths
  ///     paths.oldPath(for: 2)  // 0.1
  ///     paths.newPath(for: 2)  // 0.0
  ///     paths.newPath(for: 1)  // nil
  ///
  /// A difference creates it on each access, because most callers don't need it. Keep it as long as
  /// you look up paths. If a list repeats an identifier, its first path is used.
  ///
  /// - Complexity: O(*n*) to create, where *n* is the number of rows of both lists. O(1) for each
  ///   lookup.
  public struct Paths: Sendable {
    private var oldPaths: [Element.DiffIdentifier: ListPath] = [:]
    private var newPaths: [Element.DiffIdentifier: ListPath] = [:]

    init(old: [[Element.DiffIdentifier]], new: [[Element.DiffIdentifier]]) {
      oldPaths = Self.paths(in: old)
      newPaths = Self.paths(in: new)
    }

    private static func paths(
      in list: [[Element.DiffIdentifier]]
    ) -> [Element.DiffIdentifier: ListPath] {
      var paths: [Element.DiffIdentifier: ListPath] = [:]
      paths.reserveCapacity(list.reduce(0) { $0 + $1.count })
      for (section, rows) in list.enumerated() {
        for (row, identifier) in rows.enumerated() where paths[identifier] == nil {
          paths[identifier] = ListPath(section: section, row: row)
        }
      }
      return paths
    }

    /// Returns the path of an identifier in the list before, or nil if it isn't in that list.
    public func oldPath(for identifier: Element.DiffIdentifier) -> ListPath? {
      oldPaths[identifier]
    }

    /// Returns the path of an identifier in the list after, or nil if it isn't in that list.
    public func newPath(for identifier: Element.DiffIdentifier) -> ListPath? {
      newPaths[identifier]
    }
  }
}

extension ListDiff {
  /// The paths of the identifiers of both lists.
  ///
  /// They are computed on each access.
  public var paths: Paths {
    Paths(old: [old.map(\.diffIdentifier)], new: [new.map(\.diffIdentifier)])
  }
}

extension SectionedListDiff {
  /// The paths of the identifiers of the rows of both lists.
  ///
  /// They are computed on each access.
  public var paths: ListDiff<Row>.Paths {
    ListDiff<Row>.Paths(
      old: old.map { $0.rows.map(\.diffIdentifier) }, new: new.map { $0.rows.map(\.diffIdentifier) }
    )
  }
}
