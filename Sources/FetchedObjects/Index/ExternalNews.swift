@_spi(Storage) internal import EntityStore

/// The effect of unmerged external commits on an index-only result.
///
/// It is kept, because each read needs it until the store merges the commits. The store may be
/// unable to merge them, or nothing may ask it to.
struct ExternalNews: Sendable {
  /// The versions from the last merged one to the one that was read.
  let versions: Range<Int64>
  let mark: StorageMark?
  /// True if there is no net change, but rows may have other numbers.
  let isRenumberingOnly: Bool
  /// True if nothing that the result reads has changed, on net or in its numbers.
  let isNothing: Bool
  /// The objects that have other numbers, or may have them.
  let renumbered: Renumbered
  /// The whole result, once it has been read.
  var whole: IndexSnapshot?
}
