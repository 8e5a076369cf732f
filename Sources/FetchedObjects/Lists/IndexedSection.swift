public import EntityStore
internal import ListDiffing
internal import Locking

/// A section of an index-only snapshot.
///
///     let section = cars.snapshot.sections[0]
///     print(section.name, section.count)
public struct IndexedSection: Hashable, Sendable {
  /// The title.
  ///
  /// The section of a nil key has the title "".
  public let name: String
  /// The value that distinguishes the section from others, as it is stored.
  public let identity: StoredValue
  /// The number of rows.
  public let count: Int

  /// The title's first character, in upper case.
  public var indexTitle: String { name.first.map { String($0).uppercased() } ?? "" }
}
