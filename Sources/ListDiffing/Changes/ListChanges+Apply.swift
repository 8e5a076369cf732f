extension ListChanges {
  /// Applies the changes to a flat list.
  ///
  ///     var rows = ["a", "b", "c"]
  ///     let diff = ListDiff(from: rows, to: ["c", "a"])
  ///     diff.changes.apply(to: &rows) { path in ["c", "a"][path.row] }
  ///     rows  // ["c", "a"]
  ///
  /// Updates are applied first, at their old paths. Then deleted rows and the sources of moves are
  /// removed. Then inserted rows and moved rows are inserted at their new paths. A flat list is
  /// section 0.
  ///
  /// `row` is called once for each updated row, then once for each inserted or moved row in the
  /// order of the new list. All these calls are made before the list changes. If `row` throws, the
  /// list is unchanged.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - row: A closure that returns the content of the row at a new path.
  /// - Precondition: The changes fit the list: there are no section changes, all paths are in
  ///   section 0 and in range, and no path is in two changes. Debug builds check this with
  ///   `validate(old:new:)`. See also ``applyIfValid(to:row:)``.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the length of the list and *k* the number of
  ///   changes. Updates alone take O(*k*).
  /// - Throws: The error that `row` throws.
  @inlinable
  public func apply<
    List: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(
    to list: inout List, row: (ListPath) throws -> List.Element
  ) rethrows {
    let removed = _removedRows
    let added = _addedRows
    _checkApplicable(toRows: list.count, removed: removed, added: added)
    let updatedRows = try updates.map { try row($0.new) }
    let addedRows = try added.map(row)

    for (update, content) in zip(updates, updatedRows) {
      list[list.index(list.startIndex, offsetBy: update.old.row)] = content
    }
    list._remove(at: removed.map(\.row))
    list._insert(addedRows[...], at: added.map(\.row))
  }

  /// Applies the changes to a sectioned list.
  ///
  ///     var list = [ListSection(header: "Ann", rows: ["Golf"])]
  ///     let changes = ListChanges(
  ///       insertedSections: [1], inserts: [ListPath(section: 1, row: 0)])
  ///     changes.apply(to: &list, header: { _ in "Bob" }, row: { _ in "Polo" })
  ///     list[1].rows  // ["Polo"]
  ///
  /// The changes are applied in five steps:
  ///
  /// 1. Rows and headers are updated at their old positions.
  /// 2. Deleted rows and the sources of moves are removed.
  /// 3. Deleted and moved sections are removed. A moved section keeps its remaining rows.
  /// 4. Inserted and moved sections are inserted.
  /// 5. Inserted and moved rows are inserted.
  ///
  /// `header` is called once for each updated section, then once for each inserted or moved section
  /// in the order of the new list. Then `row` is called for rows in the same way. All these calls
  /// are made before the list changes. If a closure throws, the list is unchanged.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - header: A closure that returns the header of the section at a new position.
  ///   - row: A closure that returns the content of the row at a new path.
  /// - Precondition: The changes fit the list: all positions are in range, no position is in two
  ///   changes, and all rows of a deleted section are deleted or moved. Debug builds check this
  ///   with `validate(old:new:)`. See also ``applyIfValid(to:header:row:)``.
  /// - Complexity: O(*n* + *s* + *k* log *k*), where *n* is the number of rows in sections that
  ///   gain or lose rows, *s* the number of sections (0 if none changes) and *k* the number of
  ///   changes.
  /// - Throws: The error that `header` or `row` throws.
  @inlinable
  public func apply<Header, Row>(
    to list: inout [ListSection<Header, Row>],
    header: (Int) throws -> Header, row: (ListPath) throws -> Row
  ) rethrows {
    let removed = _removedRows
    let added = _addedRows
    let removedSections = _removedSections
    let addedSections = _addedSections
    _checkApplicable(
      toSections: list.count, rows: { list[$0].rows.count },
      removed: removed, added: added,
      removedSections: removedSections, addedSections: addedSections)
    let updatedHeaders = try updatedSections.map { try header($0.new) }
    let addedHeaders = try addedSections.map(header)
    let updatedRows = try updates.map { try row($0.new) }
    let addedRows = try added.map(row)

    for (update, content) in zip(updates, updatedRows) {
      list[update.old.section].rows[update.old.row] = content
    }
    for (update, content) in zip(updatedSections, updatedHeaders) {
      list[update.old].header = content
    }
    Self._forEachSection(of: removed) { section, range in
      list[section].rows._remove(at: removed[range].map(\.row))
    }
    let arriving = _arrivingSections(addedSections, headers: addedHeaders, from: list)
    list._remove(at: removedSections)
    list._insert(arriving[...], at: addedSections)
    Self._forEachSection(of: added) { section, range in
      list[section].rows._insert(addedRows[range], at: added[range].map(\.row))
    }
  }

  /// Returns the inserted sections, empty, and the moved sections with the rows that they have in
  /// `list`.
  @inlinable
  func _arrivingSections<Header, Row>(
    _ positions: [Int], headers: [Header], from list: [ListSection<Header, Row>]
  ) -> [ListSection<Header, Row>] {
    var sections: [ListSection<Header, Row>] = []
    sections.reserveCapacity(positions.count)
    var next = 0
    for (position, header) in zip(positions, headers) {
      if next < movedSections.count, movedSections[next].new == position {
        sections.append(ListSection(header: header, rows: list[movedSections[next].old].rows))
        next += 1
      } else {
        sections.append(ListSection(header: header, rows: []))
      }
    }
    return sections
  }

  /// Calls `body` with each section that contains some of the sorted paths, and with the range of
  /// these paths.
  @inlinable
  static func _forEachSection(of paths: [ListPath], _ body: (Int, Range<Int>) -> Void) {
    var start = 0
    while start < paths.count {
      var end = start + 1
      while end < paths.count, paths[end].section == paths[start].section { end += 1 }
      body(paths[start].section, start..<end)
      start = end
    }
  }
}
