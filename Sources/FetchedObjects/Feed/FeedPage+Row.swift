extension FeedPage {
  /// A row of a feed: the content that the client shows, and the hash that it keeps beside it.
  ///
  ///     for row in cars.sections[0].rows { print(row.content.model) }
  public struct Row: Sendable {
    /// The content that the client gets for the object.
    public let content: Content
    /// The hash of the object's stored values, for the check sum.
    public let hash: UInt64

    /// Creates a row.
    public init(content: Content, hash: UInt64) {
      self.content = content
      self.hash = hash
    }
  }
}

extension FeedPage.Row: Equatable where Content: Equatable {}
extension FeedPage.Row: Hashable where Content: Hashable {}
