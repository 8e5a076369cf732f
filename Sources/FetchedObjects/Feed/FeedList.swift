public import ListDiffing

/// A client's list, brought up to date by the pages of a feed.
///
///     var cars = FeedList<CarRow>()
///     func refresh() async throws {
///       do {
///         try cars.apply(await server.page(after: cars.cursor))
///       } catch is FeedError {
///         try cars.apply(await server.page(after: nil))
///       }
///     }
///
/// After each page the list is exactly the server's, because the check sums are compared. A page
/// that doesn't fit throws and changes nothing. A client that ends can store ``page`` and begin
/// with it the next time.
public struct FeedList<Content: Sendable>: Sendable {
  /// A section and its rows.
  public typealias Section = ListSection<FeedSection, FeedPage<Content>.Row>

  /// The sections, in order.
  ///
  /// A list without sections is one section.
  public private(set) var sections: [Section] = []
  /// The position of the list, or nil before the first page.
  ///
  /// The client sends it to ask for the next page.
  public private(set) var cursor: FeedCursor?

  /// Creates an empty list, which begins with the first page that is applied.
  public init() {}

  /// The number of rows in each section.
  public var rowCounts: [Int] { sections.map(\.rows.count) }

  /// The check sum of the list.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows.
  public var sum: UInt64 { Self.sum(of: sections) }

  /// The whole list as a page, or nil before the first page.
  ///
  /// A client can store it, and apply it first when it starts again.
  public var page: FeedPage<Content>? {
    cursor.map { FeedPage(cursor: $0, news: .reset(sections)) }
  }

  /// Brings the list up to date.
  ///
  /// - Throws: ``FeedError`` if the page doesn't lead from this list to the server's. The list
  ///   stays as it was.
  /// - Complexity: O(*n*) where *n* is the number of rows.
  public mutating func apply(_ page: FeedPage<Content>) throws(FeedError) {
    var next = sections
    switch page.news {
    case .unchanged: break
    case .reset(let sections): next = sections
    case .changes(let changes):
      guard changes.after == cursor else { throw .otherList(after: changes.after, found: cursor) }
      try Self.apply(changes, to: &next)
    }
    let sum = Self.sum(of: next)
    guard sum == page.cursor.sum else {
      throw .wrongSum(expected: page.cursor.sum, found: sum)
    }
    sections = next
    cursor = page.cursor
  }

  private static func apply(
    _ changes: FeedPage<Content>.Changes, to sections: inout [Section]
  ) throws(FeedError) {
    var heads: [Int: FeedSection] = [:]
    for placed in changes.sections { heads[placed.position] = placed.section }
    var rows: [ListPath: FeedPage<Content>.Row] = [:]
    for placed in changes.rows { rows[placed.path] = placed.row }
    do {
      try changes.list.applyIfValid(to: &sections) { position in
        guard let head = heads[position] else { throw FeedError.missingSection(position) }
        return head
      } row: { path in
        guard let row = rows[path] else { throw FeedError.missingRow(path) }
        return row
      }
    } catch let error as FeedError {
      throw error
    } catch let error as ListChangesError {
      throw .misfit(error)
    } catch {
      preconditionFailure("Applying changes throws \(error), which it doesn't say")
    }
  }

  private static func sum(of sections: [Section]) -> UInt64 {
    var sum = FeedSum()
    for section in sections {
      sum.append(FeedSum(of: section.header.hash))
      for row in section.rows { sum.append(FeedSum(of: row.hash)) }
    }
    return sum.value
  }
}

extension FeedList: Equatable where Content: Equatable {}
