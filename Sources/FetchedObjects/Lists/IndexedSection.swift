public import EntityStore
internal import ListDiffing
internal import Locking

/// One section of an index-only snapshot.
public struct IndexedSection: Hashable, Sendable {
  /// The title.
  ///
  /// A nil key is a section titled "".
  public let name: String
  /// What tells the section from others, as it is stored.
  public let identity: StoredValue
  /// The number of rows.
  public let count: Int

  /// The title's first character, in upper case.
  public var indexTitle: String { name.first.map { String($0).uppercased() } ?? "" }
}
