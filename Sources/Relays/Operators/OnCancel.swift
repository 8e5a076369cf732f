internal import Locking

/// An action that runs once, when a subscription is cancelled.
final class OnCancel: Cancellable, @unchecked Sendable {
  // @unchecked: the action is under its lock.
  private let action: Locked<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

  /// Discards the action, unless it has already run.
  ///
  /// - Returns: true if it never will run.
  func dismiss() -> Bool { take() != nil }

  /// True if the action has run or was discarded.
  var isOver: Bool { action.withLock { $0 == nil } }

  override func cancel(_ token: SubscriptionToken) { take()?() }

  override func isActive(_ token: SubscriptionToken) -> Bool { false }

  private func take() -> (@Sendable () -> Void)? { action.withLock { $0.take() } }
}
