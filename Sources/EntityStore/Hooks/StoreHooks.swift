/// A receiver of what a store does and how long it takes, for logs, metrics and traces.
///
///     struct SlowCommits: StoreHooks {
///       func ended(_ operation: StoreOperation, _ report: StoreReport) {
///         if report.duration > .milliseconds(100) { print("\(operation): \(report)") }
///       }
///     }
///     let store = try Store(.sqlite(path: path), entities: [Car.self], hooks: SlowCommits())
///
/// Each operation begins once and ends once, with the same ``StoreOperation/id``. Both functions
/// are called on the thread that does the work, and the work waits for them. The two calls of an
/// operation that suspends, such as `commitAsync`, may come from different threads.
///
/// - A commit begins before it waits for its turn. It ends when its immediate subscribers have been
///   called, unless another thread is calling them.
/// - No lock of the store is held. So a hook may read, commit, subscribe and make models. An
///   operation of a hook is reported, too, so don't commit at the end of each commit.
/// - If several threads use the store, their operations overlap. Otherwise each ends before the
///   next one begins, except for those inside the body of a `read` or in a callback. They lie
///   inside the outer one.
/// - A commit or a read inside the body of a commit is part of that commit.
/// - A store without hooks pays for a look at one word for each operation. It reads no clock.
///
/// Reads by models, observed objects and snapshots aren't operations. Models may read while they
/// hold locks.
public protocol StoreHooks: Sendable {
  /// Called when an operation begins.
  func began(_ operation: StoreOperation)

  /// Called when an operation has ended, whether or not it has failed.
  func ended(_ operation: StoreOperation, _ report: StoreReport)
}

extension StoreHooks {
  /// Does nothing.
  public func began(_ operation: StoreOperation) {}

  /// Does nothing.
  public func ended(_ operation: StoreOperation, _ report: StoreReport) {}
}
