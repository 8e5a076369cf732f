public import EntityStore
public import ListDiffing
internal import Locking

/// A section of a derived list, and a collection of its rows.
///
///     let section = rows.snapshot.sections[0]
///     print(section.name, section.count)
///     for row in section { print(row.title) }
public struct DerivedSection<Row: Diffable & Sendable>: RandomAccessCollection, Sendable {
  let content: any ListContent<Row>
  let position: Int
  let header: ListHeader

  /// Zero.
  public let startIndex = 0

  /// The number of rows.
  public let endIndex: Int

  /// The title.
  ///
  /// The section of a nil key has the title "".
  public var name: String { header.key.title }

  /// The value that distinguishes the section from others of its part, as it is stored.
  public var identity: StoredValue { header.key.identity }

  /// The part of a concatenated list that the section is in.
  ///
  /// If parts have parts, the outermost is first. It is empty if the list isn't concatenated.
  /// Together with ``identity``, it distinguishes the section from all others.
  public var parts: [Int] { header.parts }

  /// The title's first character, in upper case.
  public var indexTitle: String { name.first.map { String($0).uppercased() } ?? "" }

  /// The row at a position.
  ///
  /// - Complexity: O(log *n*) where *n* is the number of rows of the source.
  public subscript(row: Int) -> Row {
    if row < 0 || row >= endIndex { noRow(row) }
    return content.row(at: ListPath(section: position, row: row))
  }

  @inline(never) private func noRow(_ row: Int) -> Never {
    mistake("There is no row \(row) in section \"\(name)\"; it has \(endIndex)")
  }

  /// The rows of the section, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows that the source has in it.
  public var rows: [Row] { content.rows(position) }
}

extension DerivedSection {
  /// The id that distinguishes the section from all others.
  public var id: SectionID { SectionID(identity: identity, parts: parts) }
}
