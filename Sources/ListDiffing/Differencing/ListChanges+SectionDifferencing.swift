extension ListChanges {
  /// Creates the difference of two sectioned lists whose headers and rows need not be ``Diffable``.
  ///
  /// The result has the properties that ``SectionedListDiff`` describes.
  ///
  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - areIdentifiersUnique: True if no identifier of a section or row repeats in either list, as
  ///     in a store. The comparison is faster then. If one repeats all the same, the changes still
  ///     lead from one list to the other, but copies may be matched in another order.
  ///   - section: A closure that returns the identity of a section for its header.
  ///   - row: A closure that returns the identity of a row.
  ///   - isHeaderEqual: A closure that returns true if two headers with the same identity look the
  ///     same. It is called at most once for each section that didn't move.
  ///   - isContentEqual: A closure that returns true if two rows with the same identity look the
  ///     same. It is called at most once for each row that didn't move.
  /// - Complexity: O(*s* log *s* + *n* + *m* log *m*), where *s* is the number of sections, *n* the
  ///   number of rows and *m* the number of rows without the common beginning and end of each
  ///   section.
  @inlinable
  @inline(__always)
  public init<Header, Row, SectionIdentifier: Hashable, RowIdentifier: Hashable>(
    from old: [ListSection<Header, Row>], to new: [ListSection<Header, Row>],
    areIdentifiersUnique: Bool = false, sectionsIdentifiedBy section: (Header) -> SectionIdentifier,
    rowsIdentifiedBy row: (Row) -> RowIdentifier,
    isHeaderEqual: (Header, Header) -> Bool, isContentEqual: (Row, Row) -> Bool
  ) {
    let sections = ListChanges(
      from: old, to: new, areIdentifiersUnique: areIdentifiersUnique,
      identifiedBy: { section($0.header) },
      isContentEqual: { isHeaderEqual($0.header, $1.header) })
    var rest = _SectionRest<RowIdentifier>()
    var moves: [PositionChange<ListPath>] = []
    var updates: [PositionChange<ListPath>] = []
    self.init(_sections: sections)
    for (position, origin) in _sectionOrigins(oldCount: old.count).enumerated() {
      guard let origin else {
        for (index, element) in new[position].rows.enumerated() {
          rest.came(ListPath(section: position, row: index), row(element))
        }
        continue
      }
      let (oldRows, newRows) = (old[origin].rows, new[position].rows)
      let inside = ListChanges(
        from: oldRows, to: newRows, areIdentifiersUnique: areIdentifiersUnique, identifiedBy: row,
        isContentEqual: isContentEqual)
      for path in inside.deletes { rest.went(ListPath(section: origin, row: path.row)) }
      for path in inside.inserts {
        rest.came(ListPath(section: position, row: path.row), row(newRows[path.row]))
      }
      func placed(_ change: PositionChange<ListPath>) -> PositionChange<ListPath> {
        PositionChange(
          old: ListPath(section: origin, row: change.old.row),
          new: ListPath(section: position, row: change.new.row))
      }
      moves.append(contentsOf: inside.moves.map(placed))
      updates.append(contentsOf: inside.updates.map(placed))
    }
    for position in deletedSections {
      for index in old[position].rows.indices { rest.went(ListPath(section: position, row: index)) }
    }
    // The paths were found in the order of the new sections, but copies are matched in the order of
    // the old list.
    rest.oldPaths.sort()
    let oldIdentifiers = rest.oldPaths.map { row(old[$0.section].rows[$0.row]) }
    let matches = _ListMatches(
      old: oldIdentifiers, in: 0..<oldIdentifiers.count,
      new: rest.newIdentifiers, in: 0..<rest.newIdentifiers.count,
      areUnique: areIdentifiersUnique, identifiedBy: { $0 })
    self.init(
      _sections: self, moves: moves, updates: updates, matches: matches, oldPaths: rest.oldPaths,
      newPaths: rest.newPaths)
    _checkInvariants(old: old.map(\.rows.count), new: new.map(\.rows.count))
  }

  /// Creates the changes of sections from the difference of a flat list of sections.
  @usableFromInline
  init(_sections flat: ListChanges) {
    func sections(_ change: PositionChange<ListPath>) -> PositionChange<Int> {
      PositionChange(old: change.old.row, new: change.new.row)
    }
    self.init(
      deletedSections: flat.deletes.map(\.row), insertedSections: flat.inserts.map(\.row),
      movedSections: flat.moves.map(sections), updatedSections: flat.updates.map(sections))
  }

  /// A row that was removed from one section and added to another is a move.
  @usableFromInline
  init(
    _sections sections: ListChanges, moves: [PositionChange<ListPath>],
    updates: [PositionChange<ListPath>], matches: _ListMatches, oldPaths: [ListPath],
    newPaths: [ListPath]
  ) {
    var moves = moves
    var inserts: [ListPath] = []
    for (path, source) in zip(newPaths, matches._sources(count: newPaths.count)) {
      if source < 0 {
        inserts.append(path)
      } else {
        moves.append(PositionChange(old: oldPaths[Int(source)], new: path))
      }
    }
    self.init(
      deletedSections: sections.deletedSections, insertedSections: sections.insertedSections,
      movedSections: sections.movedSections, updatedSections: sections.updatedSections,
      deletes: matches.gone.map { oldPaths[Int($0)] }, inserts: inserts,
      moves: moves, updates: updates)
  }
}

/// The rows that were removed from their section, and the rows that were added to theirs.
@usableFromInline
struct _SectionRest<Identifier> {
  @usableFromInline var oldPaths: [ListPath] = []
  @usableFromInline var newPaths: [ListPath] = []
  @usableFromInline var newIdentifiers: [Identifier] = []

  @inlinable
  init() {}

  @inlinable
  mutating func went(_ path: ListPath) { oldPaths.append(path) }

  @inlinable
  mutating func came(_ path: ListPath, _ identifier: Identifier) {
    newPaths.append(path)
    newIdentifiers.append(identifier)
  }
}
