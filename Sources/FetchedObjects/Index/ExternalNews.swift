internal import EntityStore
internal import Locking

/// What external commits that aren't taken in yet mean for an index-only result.
///
/// Reads ask for it one after the other, for as long as the store can't take them in or nobody asks it to. So it is kept.
final class ExternalNews: Sendable {
  /// The versions from the one that was taken in last to the one that was read.
  let versions: Range<Int64>
  let mark: StorageMark?
  /// Whether nothing has changed on net, but rows may have other numbers.
  let isRenumberingOnly: Bool
  /// Whether nothing has changed that the result reads, on net or in its numbers.
  let isNothing: Bool
  /// The objects that have other numbers, or may have them.
  let renumbered: Renumbered
  /// The whole result, once it has been read.
  let whole: IndexSnapshot?

  init(
    _ versions: Range<Int64>, _ mark: StorageMark?, isNothing: Bool, isRenumberingOnly: Bool,
    _ renumbered: Renumbered
  ) {
    self.versions = versions
    self.mark = mark
    self.isNothing = isNothing
    self.isRenumberingOnly = isRenumberingOnly
    self.renumbered = renumbered
    whole = nil
  }

  init(_ news: ExternalNews, whole: IndexSnapshot) {
    versions = news.versions
    mark = news.mark
    isNothing = news.isNothing
    isRenumberingOnly = news.isRenumberingOnly
    renumbered = news.renumbered
    self.whole = whole
  }
}
