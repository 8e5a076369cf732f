/// Changes in the form in which the host of a list takes them: passes, and then what to reload.
///
///     let old = [1, 2, 3]
///     let new = [3, 1]
///     let diff = ListDiff(from: old, to: new)
///     let shown = ListPresentation(of: diff)
///     shown.passes  // [delete 0.1, move 0.2 → 0.0]
///     shown.reloadedRows  // []
///
/// Carry out the passes in their order. Inside each, the data that the host reads changes to what
/// ``lists(from:to:)`` has for it; with one pass or none that is the new list. Then reload, at new positions.
/// ``ListAdapter`` does all that.
public struct ListPresentation: Hashable, Sendable {
  /// The batches, in order; none is empty.
  ///
  /// There are up to three with the style ``ListUpdateStyle/stages``, otherwise up to one.
  public let passes: [ListPass]

  /// The rows that stayed or moved and have fresh content: new paths, ascending.
  public let reloadedRows: [ListPath]

  /// The sections that stayed or moved and have a fresh header: new positions, ascending.
  public let reloadedHeaders: [Int]

  /// Presents changes.
  ///
  /// Since a move implies fresh content, what moves is reloaded too. Whoever has both lists can tell what looks
  /// the same and need not be.
  ///
  /// - Parameters:
  ///   - changes: The changes from one list to another.
  ///   - sectionCount: The number of sections in the list before; a flat list has one.
  ///   - style: How the host takes them.
  ///   - isMovedRowChanged: Whether a moved row has fresh content. It is asked at most once for each move.
  ///   - isMovedHeaderChanged: Whether a moved section has a fresh header, likewise.
  /// - Precondition: The changes are valid for a list of that many sections.
  /// - Complexity: O(*s* + *k* log *k*), where *s* is the number of sections and *k* that of changes.
  public init(
    of changes: ListChanges, sectionCount: Int = 1, style: ListUpdateStyle = .passThenReload,
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

  /// Presents a difference of flat lists; of what moves, only what has fresh content is reloaded.
  ///
  /// - Parameters:
  ///   - diff: The difference.
  ///   - style: How the host takes it.
  public init<Element>(of diff: ListDiff<Element>, style: ListUpdateStyle = .passThenReload) {
    self.init(
      of: diff.changes, style: style,
      isMovedRowChanged: { !diff.old[$0.old.row].isContentEqual(to: diff.new[$0.new.row]) })
  }

  /// Presents a difference of lists with sections; of what moves, only what has fresh content is reloaded.
  ///
  /// - Parameters:
  ///   - diff: The difference.
  ///   - style: How the host takes it.
  public init<Header, Row>(
    of diff: SectionedListDiff<Header, Row>, style: ListUpdateStyle = .passThenReload
  ) {
    self.init(
      of: diff.changes, sectionCount: diff.old.count, style: style,
      isMovedRowChanged: { !diff.old[$0.old].isContentEqual(to: diff.new[$0.new]) },
      isMovedHeaderChanged: {
        !diff.old[$0.old].header.isContentEqual(to: diff.new[$0.new].header)
      })
  }

  /// Whether nothing is to be shown.
  public var isEmpty: Bool {
    passes.isEmpty && reloadedRows.isEmpty && reloadedHeaders.isEmpty
  }

  /// The list after each pass.
  ///
  /// - Parameters:
  ///   - old: The list before the first pass.
  ///   - new: The list after the last.
  /// - Returns: As many lists as there are passes; the last one is `new`.
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
  /// Whether all sections that are named are there, in a list of so many and in what becomes of it.
  fileprivate func isInside(_ sectionCount: Int) -> Bool {
    let newCount = sectionCount - deletedSections.count + insertedSections.count
    let old = _removedSections + updatedSections.map(\.old) + _removedRows.map(\.section)
    let new = _addedSections + updatedSections.map(\.new) + _addedRows.map(\.section)
    return (old + updates.map(\.old.section)).allSatisfy { 0..<sectionCount ~= $0 }
      && (new + updates.map(\.new.section)).allSatisfy { 0..<Swift.max(0, newCount) ~= $0 }
  }
}
