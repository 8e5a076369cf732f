/// The position of a row in a list: its section, and its row in that section.
///
///     let path = ListPath(section: 0, row: 3)
///     print(path)  // 0.3
///     path < ListPath(section: 1, row: 0)  // true
///
/// Paths are ordered by section, then by row. A flat list is section 0.
public struct ListPath: Hashable, Sendable, Codable {
  /// The position of the section in the list.
  public var section: Int

  /// The position of the row in its section.
  public var row: Int

  /// Creates the path of a row in a section.
  @inlinable
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension ListPath: Comparable {
  /// Returns true if `left` precedes `right` in the list.
  @inlinable
  public static func < (left: ListPath, right: ListPath) -> Bool {
    left.section == right.section ? left.row < right.row : left.section < right.section
  }
}

extension ListPath: CustomStringConvertible {
  /// The section and the row, as in "0.3".
  public var description: String { "\(section).\(row)" }
}
