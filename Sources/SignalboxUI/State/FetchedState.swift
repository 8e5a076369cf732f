public import EntityStore
public import FetchedObjects
public import Observation
internal import Relays

/// The list of a query as a view shows it: what stands behind `@Fetched`.
///
///     $todos.error  // the FetchedState of @Fetched(query) var todos
///
/// It has a model as soon as it has a query and a store, and follows both when they change. It has
/// no SwiftUI in it, so that an app's tests can use it anywhere. A reader in
/// `withObservationTracking` is notified of the next change on the main actor, when all models
/// there show it.
@MainActor
public final class FetchedState<E: Entity>: Observable {
  private let registrar = ObservationRegistrar()
  @exclusivity(unchecked) private var animate: (() -> Void) -> Void = { $0() }
  @exclusivity(unchecked) private var store: Store?
  /// The last query, also if it couldn't be read.
  @exclusivity(unchecked) private var query: Query<E>?
  /// The model of the last query that could be read.
  @exclusivity(unchecked) private var model: FetchedObjectsModel<E>?
  @exclusivity(unchecked) private var tokens: [SubscriptionToken] = []
  /// The rows before a window and in all, as they were at the last change.
  private var counts: (before: Int, all: Int) = (0, 0)
  /// The reason why the last query has no model.
  @exclusivity(unchecked) private var failure: (any Error)?
  /// The subscription to the next commits, while the last query has no model.
  @exclusivity(unchecked) private var retries: SubscriptionToken?

  /// Creates a state that shows an empty list.
  public init() {}

  // MARK: What is shown

  /// The list that is shown now.
  ///
  /// It is empty before `show` has been called, and while there is no store or it couldn't be read
  /// yet. Its sums are then those of no rows.
  public var list: ListSnapshot<EntityView<E>> {
    registrar.access(self, keyPath: \.list)
    return model?.shown ?? .empty
  }

  /// The reason why the list can't be read, or nil.
  ///
  /// The last list stays. After a commit that concerns the list, it is read again. If it couldn't
  /// be read at all, it is read again after any commit. ``retry()`` reads it again at once.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.error)
    return failure ?? model?.error
  }

  // MARK: Following

  /// Shows the list of a query of a store.
  ///
  /// It does nothing if both are the same as before. It reads the list at once, on the main actor.
  /// A list that takes long to read should be a window (`limit`).
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - store: The store, or nil if there is none; then ``error`` is ``MissingStore``.
  ///   - animate: Called with each later change of the list. It notifies those that read the list.
  public func show(
    _ query: Query<E>, in store: Store?,
    animate: @escaping (() -> Void) -> Void = { $0() }
  ) {
    if follow(query, in: store, animate: animate) { notify() }
  }

  /// Reads the list again if it couldn't be read: for a button beside ``error``.
  public func retry() {
    if failure == nil && model?.error == nil { return }
    read(isAgain: failure == nil)
    notify()
  }

  /// Reads again after a commit, and notifies if a view would show something else.
  private func readAgain() {
    guard let old = failure else { return }
    read()
    if failure.map({ "\($0)" }) != "\(old)" { notify() }
  }

  /// True if nothing has been shown yet, so that no view can have read the state.
  var isFresh: Bool { query == nil }

  /// Does what `show` does, without a notification, while a view is being drawn.
  ///
  /// - Returns: True if those that have read the state before have to be notified afterwards.
  func follow(
    _ query: Query<E>, in store: Store?, animate: @escaping (() -> Void) -> Void
  ) -> Bool {
    self.animate = animate
    let isSameStore = store === self.store
    if isSameStore && query == self.query { return false }
    if !isSameStore { (model, tokens) = (nil, []) }
    (self.store, self.query, retries) = (store, query, nil)
    read()
    return true
  }

  /// Notifies those that have read the state.
  func notify() {
    registrar.withMutation(of: self, keyPath: \.error) {
      registrar.withMutation(of: self, keyPath: \.list) {}
    }
  }

  /// Reads the list; if it was read before, its model goes on with its own error.
  private func read(isAgain: Bool = false) {
    guard let store, let query else { return failure = MissingStore() }
    // It is there before the list is read, so that no commit comes between.
    let retries = retries ?? store.afterEachCommit { [weak self] in self?.readAgain() }
    do {
      // A model that got another query would deliver what waits for the main actor, in the middle
      // of a view's update.
      let model = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
      tokens = [
        model.didChange.subscribe(on: .mainActor) { [weak self] _ in self?.change() },
        model.updates.subscribe(on: .mainActor) { [weak self] _ in self?.update() },
      ]
      self.model = model
      noteCounts()
      (failure, self.retries) = (nil, nil)
    } catch {
      if isAgain { return }
      (failure, self.retries) = (error, retries)
    }
  }

  private func change() {
    noteCounts()
    animate { registrar.withMutation(of: self, keyPath: \.list) {} }
  }

  /// Notes an update of the model, which has no event if only rows around a window have changed.
  private func update() {
    let (before, all) = counts
    noteCounts()
    if counts != (before, all) { change() }
  }

  private func noteCounts() {
    guard let list = model?.shown else { return }
    counts = (list.rowsBefore, list.totalCount)
  }
}
