public import ListDiffing

/// An answer to a client of a feed: the client's new cursor, and the news that leads there.
///
///     switch page.news {
///     case .unchanged: break
///     case .changes(let changes): print(changes.list)  // update 0.2, insert 1.0
///     case .reset(let sections): print(sections.count)
///     }
///
/// ``FeedList`` applies it. The guide "Feeds" describes its form in JSON.
public struct FeedPage<Content: Sendable>: Sendable {
  /// The news that leads to the new cursor.
  public enum News: Sendable {
    /// Nothing is different.
    case unchanged
    /// The net change of the list.
    case changes(Changes)
    /// The whole list, which replaces the client's list.
    case reset([ListSection<FeedSection, FeedPage<Content>.Row>])
  }

  /// A net change of the list, with the content of everything new.
  public struct Changes: Sendable {
    /// The cursor of the list that is changed.
    public let after: FeedCursor
    /// The changes of the list.
    public let list: ListChanges
    /// The sections that were inserted or moved or have a new title, in ascending order.
    public let sections: [PlacedSection]
    /// The rows that were inserted or moved or have new content, in ascending order.
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

  /// A section and its position in the list after the change.
  public struct PlacedSection: Sendable, Hashable {
    /// The position in the list after the change.
    public let position: Int
    /// The section.
    public let section: FeedSection

    /// Creates a section with its position.
    public init(position: Int, section: FeedSection) {
      self.position = position
      self.section = section
    }
  }

  /// A row and its path in the list after the change.
  public struct PlacedRow: Sendable {
    /// The path in the list after the change.
    public let path: ListPath
    /// The row.
    public let row: FeedPage<Content>.Row

    /// Creates a row with its path.
    public init(path: ListPath, row: FeedPage<Content>.Row) {
      self.path = path
      self.row = row
    }
  }

  /// The client's new cursor, with which it asks for the next page.
  public let cursor: FeedCursor
  /// The news that leads to the cursor.
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
