public import ListDiffing

/// What a client of a feed is told: where it is afterwards, and what leads there.
///
///     switch page.news {
///     case .unchanged: break
///     case .changes(let changes): print(changes.list)  // update 0.2, insert 1.0
///     case .reset(let sections): print(sections.count)
///     }
///
/// ``FeedList`` applies it. The guide "Feeds" has its form in JSON.
public struct FeedPage<Content: Sendable>: Sendable {
  /// What leads there.
  public enum News: Sendable {
    /// Nothing is different.
    case unchanged
    /// The net change of the list.
    case changes(Changes)
    /// The whole list, in place of whatever the client has.
    case reset([ListSection<FeedSection, FeedRow<Content>>])
  }

  /// A net change of the list, with the content of all that is new.
  public struct Changes: Sendable {
    /// The list that is changed.
    public let after: FeedCursor
    /// What came, went, moved and has fresh content.
    public let list: ListChanges
    /// The sections that came, moved or have a fresh title, ascending.
    public let sections: [PlacedSection]
    /// The rows that came, moved or have fresh content, ascending.
    public let rows: [PlacedRow]

    /// Creates a net change.
    public init(
      after: FeedCursor, list: ListChanges, sections: [PlacedSection], rows: [PlacedRow]
    ) {
      self.after = after
      self.list = list
      self.sections = sections
      self.rows = rows
    }
  }

  /// A section and its place in the list after.
  public struct PlacedSection: Sendable, Hashable {
    /// The position in the list after.
    public let position: Int
    /// What it is.
    public let section: FeedSection

    /// Creates a section in its place.
    public init(position: Int, section: FeedSection) {
      self.position = position
      self.section = section
    }
  }

  /// A row and its place in the list after.
  public struct PlacedRow: Sendable {
    /// The path in the list after.
    public let path: ListPath
    /// What it is.
    public let row: FeedRow<Content>

    /// Creates a row in its place.
    public init(path: ListPath, row: FeedRow<Content>) {
      self.path = path
      self.row = row
    }
  }

  /// Where the client is afterwards: what it asks with the next time.
  public let cursor: FeedCursor
  /// What leads there.
  public let news: News

  /// Creates a page.
  public init(cursor: FeedCursor, news: News) {
    self.cursor = cursor
    self.news = news
  }
}

extension FeedPage.News: Equatable where Content: Equatable {}
extension FeedPage.Changes: Equatable where Content: Equatable {}
extension FeedPage.PlacedRow: Equatable where Content: Equatable {}
extension FeedPage: Equatable where Content: Equatable {}
