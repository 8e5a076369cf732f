public import EntityStore
internal import FetchedObjects
public import Observation
internal import Relays

/// A value that a closure reads, as a view shows it: what stands behind `@FetchedValue`.
///
///     $overdue.error  // the FetchedValueState of @FetchedValue({ … }) var overdue: Int?
///
/// It follows another store, and reads something else when its key changes. It has no SwiftUI in
/// it, so that an app's tests can use it anywhere. A reader in `withObservationTracking` is
/// notified of the next change on the main actor.
@MainActor
public final class FetchedValueState<Value: Equatable & Sendable>: Observable {
  /// The closure that makes the value.
  public typealias Read = @Sendable (borrowing Reader) throws -> Value

  private let registrar = ObservationRegistrar()
  @exclusivity(unchecked) private var store: Store?
  @exclusivity(unchecked) private var key: AnyHashable?
  @exclusivity(unchecked) private var read: Read?
  @exclusivity(unchecked) private var observed: ObservedValue<Value>?
  /// The last value, while the closure can't be run.
  @exclusivity(unchecked) private var kept: Value?
  /// The reason why the last closure has no value.
  @exclusivity(unchecked) private var failure: (any Error)?
  /// The subscription to the next commits, while the last closure couldn't be run at all.
  @exclusivity(unchecked) private var retries: SubscriptionToken?

  /// Creates a state that shows no value.
  public init() {}

  /// The value that is shown now, or nil before it could be read.
  public var value: Value? {
    registrar.access(self, keyPath: \.value)
    return observed?.value ?? kept
  }

  /// The reason why the value can't be read, or nil.
  ///
  /// The last value stays. After a commit that concerns the value, it is read again. If the closure
  /// couldn't be run at all, it is run again after any commit. ``retry()`` runs it again at once.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.error)
    return failure ?? observed?.error
  }

  /// Shows what a closure reads from a store.
  ///
  /// It does nothing if the key and the store are the same as before. It runs the closure at once,
  /// on the main actor.
  ///
  /// - Parameters:
  ///   - key: What the closure depends on. Another closure with the same key has no effect. Keys
  ///     are the same if they are equal by `==`, and texts only with the same bytes. A key with NaN
  ///     is the same if it prints the same. For an id of several parts, pass its `ObjectID`.
  ///   - store: The store, or nil if there is none; then ``error`` is ``MissingStore``.
  ///   - read: Makes the value, as that of `ObservedValue`.
  public func show(for key: AnyHashable, in store: Store?, _ read: @escaping Read) {
    if follow(for: key, in: store, read) { notify() }
  }

  /// Runs the closure again if it couldn't be run: for a button beside ``error``.
  public func retry() {
    if failure == nil && observed?.error == nil { return }
    observe(isAgain: failure == nil)
    notify()
  }

  /// Reads again after a commit, and notifies if a view would show something else.
  private func readAgain() {
    guard let old = failure else { return }
    observe()
    if failure.map({ "\($0)" }) != "\(old)" { notify() }
  }

  /// True if nothing has been shown yet, so that no view can have read the state.
  var isFresh: Bool { key == nil }

  /// Does what `show` does, without a notification, while a view is being drawn.
  ///
  /// - Returns: True if those that have read the state before have to be notified afterwards.
  func follow(for key: AnyHashable, in store: Store?, _ read: @escaping Read) -> Bool {
    let isSameStore = store === self.store
    if isSameStore && isSame(key) { return false }
    if !isSameStore { (observed, kept) = (nil, nil) }
    (self.store, self.key, self.read, retries) = (store, key, read, nil)
    observe()
    return true
  }

  private func isSame(_ key: AnyHashable) -> Bool {
    guard let old = self.key else { return false }
    guard key == old else {
      // NaN isn't equal to itself. An array with NaN is equal to itself, and to no other one.
      guard type(of: key.base) == type(of: old.base), key.hashValue == old.hashValue else {
        return false
      }
      let text = String(reflecting: key.base)
      return text == String(reflecting: old.base) && (key != key || text.contains("nan"))
    }
    // Texts that are equal by `==` can be different values (S8).
    guard let text = Self.text(key.base), let other = Self.text(old.base) else { return true }
    return text.utf8.elementsEqual(other.utf8)
  }

  /// Returns a key that is a text, or the text of one with a raw value.
  private static func text(_ key: Any) -> String? {
    let value: Any = (key as? any RawRepresentable)?.rawValue ?? key
    return (value as? any StringProtocol)?.description ?? (value as? Character)?.description
  }

  /// Notifies those that have read the state.
  func notify() {
    registrar.withMutation(of: self, keyPath: \.error) {
      registrar.withMutation(of: self, keyPath: \.value) {}
    }
  }

  /// Runs the closure; if it ran before, the value goes on with its own error.
  private func observe(isAgain: Bool = false) {
    guard let store, let read else { return failure = MissingStore() }
    // It is there before the closure reads, so that no commit comes between.
    let retries = retries ?? store.afterEachCommit { [weak self] in self?.readAgain() }
    do {
      observed = try ObservedValue(in: store, delivery: .mainActor, read)
      (failure, kept, self.retries) = (nil, nil, nil)
    } catch {
      if isAgain { return }
      (kept, observed) = (observed?.value ?? kept, nil)
      (failure, self.retries) = (error, retries)
    }
  }
}
