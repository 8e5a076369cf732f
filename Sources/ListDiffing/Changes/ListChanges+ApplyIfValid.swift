extension ListChanges {
  /// Applies the changes to a flat list if they fit it.
  ///
  ///     do {
  ///       try changes.applyIfValid(to: &rows) { path in fresh[path.row] }
  ///     } catch {
  ///       print(error)
  ///       // Rule a: the old list has no row 0.9 (section 0: 3 rows before, 3 rows after).
  ///     }
  ///
  /// Use it instead of `apply(to:row:)` for changes from an untrusted source.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - row: A closure that returns the content of the row at a new path.
  /// - Throws: A ``ListChangesError``, or the error that `row` throws. The list is unchanged then.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the length of the list and *k* the number of
  ///   changes.
  @inlinable
  public func applyIfValid<
    List: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(
    to list: inout List, row: (ListPath) throws -> List.Element
  ) throws {
    try _validate(flatCount: list.count)
    try apply(to: &list, row: row)
  }

  /// Applies the changes to a sectioned list if they fit it.
  ///
  /// Use it instead of `apply(to:header:row:)` for changes from an untrusted source.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - header: A closure that returns the header of the section at a new position.
  ///   - row: A closure that returns the content of the row at a new path.
  /// - Throws: A ``ListChangesError``, or the error that `header` or `row` throws. The list is
  ///   unchanged then.
  /// - Complexity: O(*n* + *s* + *k* log *k*), where *n* is the number of rows in sections that
  ///   gain or lose rows, *s* the number of sections and *k* the number of changes.
  @inlinable
  public func applyIfValid<Header, Row>(
    to list: inout [ListSection<Header, Row>],
    header: (Int) throws -> Header, row: (ListPath) throws -> Row
  ) throws {
    try _validate(old: list.map(\.rows.count))
    try apply(to: &list, header: header, row: row)
  }

  @usableFromInline
  package func _validate(flatCount count: Int) throws(ListChangesError) {
    if hasSectionChanges { throw .sectionsOfFlatList }
    try _validate(old: [count])
  }
}
