internal import EntityStore

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
