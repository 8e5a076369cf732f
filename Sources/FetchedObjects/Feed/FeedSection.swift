public import EntityStore

/// The header of a section of a feed.
///
///     for section in cars.sections { print(section.header.title, section.rows.count) }
public struct FeedSection: Sendable, Hashable {
  /// The value that distinguishes the section from others, as it is stored, or `.null` in a list
  /// without sections.
  public let identity: StoredValue
  /// The title, or "" in a list without sections.
  public let title: String
  /// The hash of the identity and the title, for the check sum.
  public let hash: UInt64

  /// Creates a section's header.
  public init(identity: StoredValue, title: String, hash: UInt64) {
    self.identity = identity
    self.title = title
    self.hash = hash
  }

  init(_ key: SectionKey) {
    self.init(identity: key.identity, title: key.title, hash: key.feedHash)
  }
}
