public import ListDiffing

/// The reason why a page of a feed can't be applied to a list.
///
///     do {
///       try cars.apply(page)
///     } catch {
///       print(error)  // The page leads on from …; ask for the whole list, without a cursor
///     }
///
/// The list stays as it was. The client then asks without a cursor, and gets the whole list.
public enum FeedError: Error, Hashable, Sendable {
  /// The page leads on from another list. The answer came late, or twice.
  case otherList(after: FeedCursor, found: FeedCursor?)
  /// The changes don't fit a list of this shape.
  case misfit(ListChangesError)
  /// The page has no content for a new row.
  case missingRow(ListPath)
  /// The page has no header for a new section.
  case missingSection(Int)
  /// The list would differ from the server's.
  case wrongSum(expected: UInt64, found: UInt64)
}

extension FeedError: CustomStringConvertible {
  /// A sentence that states the problem and the remedy.
  public var description: String {
    let reason =
      switch self {
      case .otherList(let after, let found):
        "The page leads on from \(after), and the list is at \(found.map(\.description) ?? "none")"
      case .misfit(let error): "The changes don't fit the list: \(error)"
      case .missingRow(let path): "The page has nothing for the row at \(path)"
      case .missingSection(let position): "The page has nothing for the section at \(position)"
      case .wrongSum(let expected, let found):
        "The list's check sum is \(found.hexadecimal), not \(expected.hexadecimal)"
      }
    return reason + "; ask for the whole list, without a cursor"
  }
}
