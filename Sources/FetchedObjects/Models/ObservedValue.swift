public import EntityStore
public import Observation
public import Relays

/// A value that a closure reads from a store, kept up to date.
///
///     struct Counts: Equatable { var all = 0, done = 0 }
///     let counts = try ObservedValue(in: store) { reader in
///       Counts(
///         all: try reader.count(Query<Reminder>()),
///         done: try reader.count(Query<Reminder>().filter { $0.isDone }))
///     }
///     let token = counts.didChange.subscribe { print($0.new.all - $0.new.done, "to do") }
///     print(counts.value.all)
///
/// The closure may read as much as it likes: queries, objects by their ids, sums. What it has read
/// is noted: for a query the entity and the condition, for an object its id. A commit that may lead
/// to another answer runs the closure again, on the committing thread, and before the commit can be
/// read by others. All that the closure reads then is of one version: that of the commit. If the
/// value equals the last one, nothing is delivered.
///
/// If a condition compares a date with `Moment.now`, the closure also runs at the next boundary.
///
/// A `count` whose condition reads only the object's own attributes is read once. After that, each
/// commit adjusts it by its changed objects. Everything else is read again.
///
/// Value and events change together, in the delivery context chosen at creation. An error never
/// ends it: it is published in `errors`, and the last value stays. It is deallocated when its owner
/// releases it. Subscriptions don't keep it alive.
///
/// It can be read in `withObservationTracking`, and so in a SwiftUI view.
///
/// - Complexity: For each changed object, a commit does one look-up for all values whose conditions
///   compare attributes with constants, and evaluates the conditions of every other value. If the
///   answer may differ, the closure runs.
public final class ObservedValue<Value: Equatable & Sendable>: Observable, Sendable {
  private let follower: ValueFollower<Value>
  private let relay: Relay<ValueChange<Value>>
  private let errorRelay: Relay<any Error>

  /// Reads a value and keeps it up to date.
  ///
  /// The initialiser never waits for the body of a running commit.
  ///
  /// - Parameters:
  ///   - store: The store to read.
  ///   - delivery: The delivery context in which the value changes and subscribers are called.
  ///   - policy: One event for each commit, or one for all that wait. The default is `.every` for
  ///     `.immediate` and `.coalesced` for an actor.
  ///   - read: Makes the value. It reads only through the reader, so that all it reads is noted. It
  ///     runs on any thread that commits, and other commits wait for it. It must not commit or make
  ///     a model; that traps, at the latest when a commit runs it.
  /// - Throws: The error that `read` throws, or ``/EntityStore/StoreError``.
  public init(
    in store: Store, delivery: Delivery = .immediate, policy: DeliveryPolicy? = nil,
    _ read: @escaping @Sendable (borrowing Reader) throws -> Value
  ) throws {
    let relay = Relay<ValueChange<Value>>()
    let errors = Relay<any Error>()
    self.relay = relay
    errorRelay = errors
    follower = try ValueFollower(
      read, in: store, delivery: delivery, policy: policy,
      event: { event in
        if relay.hasSubscribers {
          relay.send(ValueChange(old: event.before.value, new: event.after.value))
        }
      },
      error: { errors.send($0) })
  }

  deinit { follower.end() }

  /// Reads a value off the caller's thread, and keeps it up to date.
  ///
  /// If the caller is cancelled meanwhile, it still waits for the value.
  ///
  /// - Parameters:
  ///   - store: The store to read.
  ///   - delivery: The delivery context in which the value changes and subscribers are called.
  ///   - policy: The same as in the initialiser.
  ///   - read: Makes the value, as in the initialiser.
  /// - Returns: The observed value.
  /// - Throws: The error that `read` throws, or ``/EntityStore/StoreError``.
  public static func reading(
    in store: Store, delivery: Delivery = .immediate, policy: DeliveryPolicy? = nil,
    _ read: @escaping @Sendable (borrowing Reader) throws -> Value
  ) async throws -> ObservedValue {
    try await Task.detached {
      try ObservedValue(in: store, delivery: delivery, policy: policy, read)
    }.value
  }

  /// The value that is shown now.
  public var value: Value { follower.value }

  /// A signal that sends every change of the value.
  ///
  /// `old` is the value that was shown before, and never nil.
  public var didChange: Signal<ValueChange<Value>> { relay.signal }

  /// A signal that sends the errors that the closure throws.
  ///
  /// The last value stays. The next commit to an entity that was read runs the closure again.
  public var errors: Signal<any Error> { errorRelay.signal }

  /// The last error, or nil once the value has been read again.
  public var error: (any Error)? { follower.error }

  /// Keeps the shown value until `resume()`.
  public func pause() { follower.pause() }

  /// Shows the newest value, and delivers the difference as one event.
  ///
  /// Nothing is delivered if the value is the same.
  public func resume() { follower.resume() }

  /// Counts of the work that the value has taken: the commits that it was asked about, and how
  /// often a commit has run the closure.
  @_spi(Inspection) public var work: ResultWork { follower.work }
}
