public import EntityStore
public import ListDiffing
internal import Locking

/// A section of a snapshot, and a collection of its rows.
///
///     let section = cars.snapshot.sections[0]
///     print(section.name, section.count)
///     for car in section { print(car.model) }
///
/// In a window, it has only the rows that are in the window.
public struct SectionInfo<Row: Diffable & Sendable>: RandomAccessCollection, Identifiable,
  Sendable
{
  let content: any ListContent<Row>
  let position: Int
  let header: ListHeader
  private let section: any SectionContent<Row>

  /// Zero.
  public let startIndex = 0

  /// The number of rows.
  public let endIndex: Int

  init(_ content: any ListContent<Row>, _ position: Int) {
    self.content = content
    self.position = position
    header = content.header(position)
    section = content.contentOfSection(position)
    endIndex = content.rowCount(position)
  }

  /// The id that distinguishes the section from all others.
  public var id: SectionID { header.id }

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

  /// The stored value by which the section is ordered, or nil in a list without sections.
  public var orderKey: StoredValue? { header.key.order.first }

  /// The title's first character, in upper case.
  public var indexTitle: String { name.first.map { String($0).uppercased() } ?? "" }

  /// The row at a position.
  ///
  /// - Complexity: O(log *n*) where *n* is the number of rows, or that of the source's rows.
  public subscript(position: Int) -> Row {
    if position < 0 || position >= endIndex { noRow(position) }
    return section.row(position)
  }

  @inline(never) private func noRow(_ position: Int) -> Never {
    mistake("There is no row \(position) in section \"\(name)\"; it has \(endIndex)")
  }

  /// The rows of the section, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows, or that of the source's rows. Reading a
  ///   single row takes O(log *n*).
  public var rows: [Row] { content.rows(position) }
}
