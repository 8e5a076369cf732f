public import EntityStore

/// A row of a feed: what the client shows, and the hash that it keeps beside it.
public struct FeedRow<Content: Sendable>: Sendable {
  /// What the client is given of the object.
  public let content: Content
  /// The hash of the object's stored values, for the check sum.
  public let hash: UInt64

  /// Creates a row.
  public init(content: Content, hash: UInt64) {
    self.content = content
    self.hash = hash
  }
}

extension FeedRow: Equatable where Content: Equatable {}
extension FeedRow: Hashable where Content: Hashable {}

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
