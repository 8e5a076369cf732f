import ListDiffing

@testable import FetchedObjects

/// A receiver that calls closures, for the tests of a follower without a model.
struct FollowerReceiver<Value: PendingValue>: EventReceiver {
  var shown: @Sendable (PendingChanges<Value>.Event) -> Void = { _ in }
  var event: @Sendable (PendingChanges<Value>.Event) -> Void = { _ in }

  var subscriptionCount: Int { 0 }

  func show(_ event: PendingChanges<Value>.Event) { shown(event) }
  func deliver(_ event: PendingChanges<Value>.Event) { self.event(event) }
  func deliver(_ error: any Error) {}
}

extension ListSnapshot {
  /// The result behind the snapshot of a query's list.
  var result: ResultView {
    guard let result = content.result else { preconditionFailure("The list isn't a result") }
    return result
  }
}
