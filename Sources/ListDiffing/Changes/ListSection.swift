/// A section of a list: a header and the rows below it.
///
///     var list = [ListSection(header: "Ann", rows: ["Golf", "Polo"])]
///     list[0].rows.append("Beetle")
///     list[ListPath(section: 0, row: 2)]  // "Beetle"
///
/// An array of sections is the plain list that a view or a presenter keeps. ``ListChanges`` updates
/// it.
public struct ListSection<Header, Row> {
  /// The content of the header above the rows.
  public var header: Header

  /// The rows, in order.
  public var rows: [Row]

  /// Creates a section.
  @inlinable
  public init(header: Header, rows: [Row]) {
    self.header = header
    self.rows = rows
  }
}

extension ListSection: Equatable where Header: Equatable, Row: Equatable {}
extension ListSection: Hashable where Header: Hashable, Row: Hashable {}
extension ListSection: Sendable where Header: Sendable, Row: Sendable {}
extension ListSection: Encodable where Header: Encodable, Row: Encodable {}
extension ListSection: Decodable where Header: Decodable, Row: Decodable {}

extension Array {
  /// The row at a path of a sectioned list.
  @inlinable
  public subscript<Header, Row>(path: ListPath) -> Row
  where Element == ListSection<Header, Row> {
    self[path.section].rows[path.row]
  }
}
