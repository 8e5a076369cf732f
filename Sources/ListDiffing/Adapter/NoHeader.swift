/// The header of the one section of a list without sections.
///
///     let list = [ListSection(rows: ["Golf", "Polo"])]
///     list[0].header == NoHeader()  // true
public struct NoHeader: Diffable, Hashable, Sendable, Codable {
  /// Creates the header.
  @inlinable
  public init() {}

  /// 0, because there is only one.
  @inlinable public var diffIdentifier: Int { 0 }

  /// Returns true, because there is no content.
  @inlinable
  public func isContentEqual(to other: NoHeader) -> Bool { true }
}

extension ListSection where Header == NoHeader {
  /// Creates the one section of a list without sections.
  @inlinable
  public init(rows: [Row]) { self.init(header: NoHeader(), rows: rows) }
}
