public import EntityStore
public import FetchedObjects
public import Observation
internal import Relays

/// The list of a query as a view shows it: what stands behind `@Fetched`.
///
///     $todos.error  // the FetchedState of @Fetched(query) var todos
///
/// It has a model as soon as it has a query and a store, and follows both when they change. It has
/// no SwiftUI in it, so that an app's tests can use it anywhere.
@MainActor
public final class FetchedState<E: Entity>: Observable {
  private let registrar = ObservationRegistrar()
  /// The shown list, or nil before there is one.
  private var shown: ListSnapshot<EntityView<E>>?
  /// The reason why there is no model or why it couldn't get another query.
  private var failure: (any Error)?
  private var animate: (() -> Void) -> Void = { $0() }

  private var store: Store?
  /// The last query, also if it couldn't be read.
  private var query: Query<E>?
  private var model: FetchedObjectsModel<E>?
  private var token: SubscriptionToken?
  /// True during `show`, after which the view is drawn anyway.
  private var isShowing = false

  /// Creates a state that shows an empty list.
  public init() {}

  // MARK: What is shown

  /// The list that is shown now.
  ///
  /// It is empty before `show` has been called, and while there is no store.
  public var list: ListSnapshot<EntityView<E>> {
    registrar.access(self, keyPath: \.list)
    return shown ?? .empty
  }

  /// The reason why the list can't be read, or nil.
  ///
  /// The last list stays. After a commit that concerns the list, it is read again. If the list of a
  /// query couldn't be read at all, ``retry()`` reads it again.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.error)
    return failure ?? model?.error
  }

  // MARK: Following

  /// Shows the list of a query of a store.
  ///
  /// It does nothing if both are the same as before. If only the query is another one, the model
  /// gets the new query, so that its events lead from one list to the other. It reads the list at
  /// once, on the main actor. A list that takes long to read should be a window (`limit`).
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - store: The store, or nil if there is none; then ``error`` is ``MissingStore``.
  ///   - animate: Called with each later change of the list. It runs the change.
  public func show(
    _ query: Query<E>, in store: Store?,
    animate: @escaping (() -> Void) -> Void = { $0() }
  ) {
    self.animate = animate
    if store != nil && store === self.store && query == self.query { return }
    isShowing = true
    defer { isShowing = false }
    if store !== self.store || store == nil { forget() }
    self.store = store
    self.query = query
    read()
  }

  /// Reads the list again whose query couldn't be read: for a button beside ``error``.
  public func retry() {
    guard failure != nil else { return }
    isShowing = true
    defer { isShowing = false }
    registrar.withMutation(of: self, keyPath: \.error) {
      registrar.withMutation(of: self, keyPath: \.list) { read() }
    }
  }

  private func read() {
    guard let store, let query else { return failure = MissingStore() }
    do {
      try follow(query, in: store)
      failure = nil
    } catch {
      failure = error
    }
  }

  private func follow(_ query: Query<E>, in store: Store) throws {
    if let model {
      try model.setQuery(query)
      shown = model.shown
      return
    }
    let model = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
    self.model = model
    shown = model.shown
    token = model.didChange.subscribe(on: .mainActor) { [weak self] in self?.take($0.after) }
  }

  /// Releases the model of another store.
  private func forget() {
    token = nil
    model = nil
    shown = nil
  }

  private func take(_ list: ListSnapshot<EntityView<E>>) {
    if isShowing { return shown = list }
    animate { registrar.withMutation(of: self, keyPath: \.list) { shown = list } }
  }
}
