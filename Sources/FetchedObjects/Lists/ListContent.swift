internal import ListDiffing

/// One version of a list: the data behind a ``ListSnapshot``.
protocol ListContent<Row>: Sendable {
  associatedtype Row: Diffable & Sendable

  /// The value that distinguishes this version from all others.
  var key: ListKey { get }
  /// The version of the store that last changed the list.
  var version: Int64 { get }
  var count: Int { get }
  /// A flat list is section 0, even if it is empty.
  var isSectioned: Bool { get }
  var sectionCount: Int { get }
  func header(_ section: Int) -> ListHeader
  func rowCount(_ section: Int) -> Int
  /// Returns the position of a section, or nil if it isn't in the list.
  func section(_ id: SectionID) -> Int?
  /// Returns the rows of a section, for reading one after another.
  func contentOfSection(_ section: Int) -> any SectionContent<Row>
  /// Returns the row at a path that is in the list.
  ///
  /// - Complexity: O(log n)
  func row(at path: ListPath) -> Row
  /// Returns the rows of a section, in O(n).
  func rows(_ section: Int) -> [Row]
  /// Returns the first row with an identifier, or nil if it isn't in the list.
  func row(for id: Row.DiffIdentifier) -> Row?
  /// Returns the path of the first row with an identifier, or nil if it isn't in the list.
  func path(of id: Row.DiffIdentifier) -> ListPath?
  /// Returns the path of the row at a position among all rows.
  func path(ofPosition position: Int) -> ListPath
  /// Returns the position among all rows of the row at a path.
  func position(of path: ListPath) -> Int
  func changes(to other: any ListContent<Row>) -> ListChanges
  /// The number of rows before those that are shown.
  var rowsBefore: Int { get }
  /// The number of rows, shown or not.
  var totalCount: Int { get }
  /// The result of a query, if it is this list.
  var result: ResultView? { get }
}

/// The rows of one section.
protocol SectionContent<Row>: Sendable {
  associatedtype Row: Sendable

  func row(_ position: Int) -> Row
}

extension ListContent {
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  func section(_ id: SectionID) -> Int? {
    (0..<sectionCount).first { header($0).id == id }
  }

  func contentOfSection(_ section: Int) -> any SectionContent<Row> {
    SectionOfContent(content: self, section: section)
  }

  /// - Complexity: O(*n*) where *n* is the number of rows.
  func path(of id: Row.DiffIdentifier) -> ListPath? {
    let objects = Row.self as? any StoredIDRow.Type
    for section in 0..<sectionCount {
      let rows = rows(section)
      let row =
        if let objects {
          objects.firstIndex(of: id, in: rows)
        } else {
          rows.firstIndex { $0.diffIdentifier == id }
        }
      if let row { return ListPath(section: section, row: row) }
    }
    return nil
  }

  var rowsBefore: Int { 0 }
  var totalCount: Int { count }
  var result: ResultView? { nil }

  func row(for id: Row.DiffIdentifier) -> Row? { path(of: id).map(row) }
}

/// A section of a list that has no quicker way to read one.
private struct SectionOfContent<Content: ListContent>: SectionContent {
  let content: Content
  let section: Int

  func row(_ position: Int) -> Content.Row {
    content.row(at: ListPath(section: section, row: position))
  }
}
