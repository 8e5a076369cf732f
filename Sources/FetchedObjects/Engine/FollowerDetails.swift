/// The values that a kind of follower keeps beside its pending changes.
protocol FollowerDetails: Sendable {
  /// Forgets the values that were worked out from the pending changes, which are about to change.
  mutating func pendingWillChange()
}

extension FollowerDetails {
  mutating func pendingWillChange() {}
}
