public import EntityStore

/// The head of a section of a feed.
public struct FeedSection: Sendable, Hashable {
  /// What tells the section from others, as it is stored; `.null` in a list without sections.
  public let identity: StoredValue
  /// The title; "" in a list without sections.
  public let title: String
  /// The hash of both, for the check sum.
  public let hash: UInt64

  /// Creates a section's head.
  public init(identity: StoredValue, title: String, hash: UInt64) {
    self.identity = identity
    self.title = title
    self.hash = hash
  }

  init(_ key: SectionKey) {
    self.init(identity: key.identity, title: key.title, hash: key.feedHash)
  }
}
