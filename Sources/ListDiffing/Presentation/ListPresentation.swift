/// Changes in a form that the host of a list can take: passes, then the rows and headers to reload.
///
///     let old = [1, 2, 3]
///     let new = [3, 1]
///     let diff = ListDiff(from: old, to: new)
///     let shown = ListPresentation(of: diff)
///     shown.passes  // [delete 0.1, move 0.2 → 0.0]
///     shown.reloadedRows  // []
///
/// Carry out the passes in order. Inside each pass, replace the data that the host reads by the
/// list that ``lists(from:to:)`` returns for it. If there is only one pass or none, that is the new
/// list. Then reload rows and headers at new positions. ``ListAdapter`` does all this.
public struct ListPresentation: Hashable, Sendable {
  /// The batches, in order.
  ///
  /// None is empty.
  ///
  /// There are up to three with the style ``ListPresentation/Style/stages``, otherwise up to one.
  public let passes: [ListPresentation.Pass]

  /// The new paths of the rows that stayed or moved and have new content, ascending.
  public let reloadedRows: [ListPath]

  /// The new positions of the sections that stayed or moved and have a new header, ascending.
  public let reloadedHeaders: [Int]

  /// Creates a presentation of changes.
  ///
  /// Since a move implies new content, moved rows and sections are reloaded, too. A caller that has
  /// both lists can exclude those that look the same.
  ///
  /// - Parameters:
  ///   - changes: The changes from one list to another.
  ///   - sectionCount: The number of sections in the list before. A flat list has one.
  ///   - style: The style in which the host takes changes.
  ///   - isMovedRowChanged: A closure that returns true if a moved row has new content. It is
  ///     called at most once for each move.
  ///   - isMovedHeaderChanged: A closure that returns true if a moved section has a new header. It
  ///     is called at most once for each move.
  /// - Precondition: The changes are valid for a list with that number of sections.
  /// - Complexity: O(*s* + *k* log *k*), where *s* is the number of sections and *k* the number of
  ///   changes.
  public init(
    of changes: ListChanges, sectionCount: Int = 1, style: ListPresentation.Style = .passThenReload,
    isMovedRowChanged: (PositionChange<ListPath>) -> Bool = { _ in true },
    isMovedHeaderChanged: (PositionChange<Int>) -> Bool = { _ in true }
  ) {
    _mustHold(
      changes.isInside(sectionCount),
      "These changes are not those of a list with \(sectionCount) sections; say how many there were"
    )
    var maker = PresentationMaker(
      changes, sectionCount: sectionCount, isMovedRowChanged: isMovedRowChanged,
      isMovedHeaderChanged: isMovedHeaderChanged)
    if style == .stages && maker.needsStages {
      maker.makeStages()
    } else {
      maker.makePass(isReplacing: style == .singlePass)
    }
    passes = maker.passes.filter { !$0.isEmpty }
    reloadedRows = maker.reloadedRows.sorted()
    reloadedHeaders = maker.reloadedHeaders.sorted()
  }

  /// Creates a presentation of a difference of flat lists.
  ///
  /// A moved row is reloaded only if it has new content.
  ///
  /// - Parameters:
  ///   - diff: The difference.
  ///   - style: The style in which the host takes changes.
  public init<Element>(of diff: ListDiff<Element>, style: ListPresentation.Style = .passThenReload)
  {
    self.init(
      of: diff.changes, style: style,
      isMovedRowChanged: { !diff.old[$0.old.row].isContentEqual(to: diff.new[$0.new.row]) })
  }

  /// Creates a presentation of a difference of lists with sections.
  ///
  /// A moved row or header is reloaded only if it has new content.
  ///
  /// - Parameters:
  ///   - diff: The difference.
  ///   - style: The style in which the host takes changes.
  public init<Header, Row>(
    of diff: SectionedListDiff<Header, Row>, style: ListPresentation.Style = .passThenReload
  ) {
    self.init(
      of: diff.changes, sectionCount: diff.old.count, style: style,
      isMovedRowChanged: { !diff.old[$0.old].isContentEqual(to: diff.new[$0.new]) },
      isMovedHeaderChanged: {
        !diff.old[$0.old].header.isContentEqual(to: diff.new[$0.new].header)
      })
  }

  /// True if there is nothing to show.
  public var isEmpty: Bool {
    passes.isEmpty && reloadedRows.isEmpty && reloadedHeaders.isEmpty
  }

  /// Returns the list after each pass.
  ///
  /// - Parameters:
  ///   - old: The list before the first pass.
  ///   - new: The list after the last pass.
  /// - Returns: One list for each pass. The last one is `new`.
  /// - Complexity: O(*s*) for each pass, where *s* is the number of sections.
  public func lists<Header, Row>(
    from old: [ListSection<Header, Row>], to new: [ListSection<Header, Row>]
  ) -> [[ListSection<Header, Row>]] {
    passes.map { pass in
      guard let contents = pass.contents else { return new }
      return contents.map { content in
        switch content {
        case .old(let section, true): old[section]
        case .new(let section, true): new[section]
        case .old(let section, false): ListSection(header: old[section].header, rows: [])
        case .new(let section, false): ListSection(header: new[section].header, rows: [])
        }
      }
    }
  }
}

extension ListChanges {
  /// Returns true if all named sections exist, in a list of `sectionCount` sections and in the list
  /// after the changes.
  fileprivate func isInside(_ sectionCount: Int) -> Bool {
    let newCount = sectionCount - deletedSections.count + insertedSections.count
    let old = _removedSections + updatedSections.map(\.old) + _removedRows.map(\.section)
    let new = _addedSections + updatedSections.map(\.new) + _addedRows.map(\.section)
    return (old + updates.map(\.old.section)).allSatisfy { 0..<sectionCount ~= $0 }
      && (new + updates.map(\.new.section)).allSatisfy { 0..<Swift.max(0, newCount) ~= $0 }
  }
}
