/// The check sum of everything below a node, which the node keeps.
final class KeptFeedSum: Sendable {
  let sum: FeedSum

  init(_ sum: FeedSum) { self.sum = sum }
}
