internal import EntityStore
internal import Locking

/// The check sum of what is below a node, which keeps it.
final class KeptFeedSum: Sendable {
  let sum: FeedSum

  init(_ sum: FeedSum) { self.sum = sum }
}
