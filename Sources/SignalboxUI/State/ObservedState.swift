public import EntityStore
public import FetchedObjects
internal import Locking
public import Observation
internal import Relays

/// One object as a view shows it: what stands behind `@Observed`.
///
///     Text("\($todo.state.error)")  // the ObservedState of @Observed(id) var todo
///
/// It follows another object when the id or the store changes. It has no SwiftUI in it, so that an
/// app's tests can use it anywhere. A reader in `withObservationTracking` is notified of the next
/// change on the main actor.
@MainActor
public final class ObservedState<E: Entity>: Observable {
  private let registrar = ObservationRegistrar()
  @exclusivity(unchecked) private var store: Store?
  /// The object's name: ids that are equal by `==` can be those of different objects (S8).
  @exclusivity(unchecked) private var name: ObjectID?
  @exclusivity(unchecked) private var object: ObservedEntity<E>?
  /// The last object that was shown, for bindings that a view still holds.
  @exclusivity(unchecked) private var last: EntityView<E>?
  @exclusivity(unchecked) private var read: (() throws -> ObservedEntity<E>)?
  @exclusivity(unchecked) private var failure: (any Error)?
  /// The subscription to the next commits, while the object couldn't be read at all.
  @exclusivity(unchecked) private var retries: SubscriptionToken?
  /// True if the object was deleted by a commit that couldn't be read.
  private var hasGone = false

  /// Creates a state that shows no object.
  public init() {}

  // MARK: What is shown

  /// The object with its included values, or nil if it doesn't exist.
  public var view: EntityView<E>? {
    registrar.access(self, keyPath: \.view)
    return object?.state == .live ? object?.viewIfKnown : nil
  }

  /// True if the object has been shown and then deleted.
  public var isDeleted: Bool {
    registrar.access(self, keyPath: \.view)
    return object?.state == .deleted || hasGone && object?.state == .absent
  }

  /// The reason why the object can't be read or why the last change wasn't committed, or nil.
  ///
  /// The next change that is committed clears it. An object that can't be read is read again after
  /// a commit. ``retry()`` reads it again at once.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.error)
    return failure ?? object?.error
  }

  // MARK: Following

  /// Shows the object with an id.
  ///
  /// It does nothing if the id and the store are the same as before.
  ///
  /// - Parameters:
  ///   - id: The object's id. The object may come later, and go.
  ///   - store: The store, or nil if there is none; then ``error`` is ``MissingStore``.
  ///   - paths: The included values of related objects, one path a line. Other paths with the same
  ///     id have no effect.
  public func show(
    _ id: E.ID, in store: Store?,
    @Inclusion<E>.Builder including paths: @escaping (Row<E, E>) -> Inclusion<E> = { _ in
      Inclusion()
    }
  ) {
    if follow(id, in: store, including: paths) { notify() }
  }

  /// Reads the object again if it couldn't be read: for a button beside ``error``.
  public func retry() {
    // A change that wasn't committed is no reason to read again.
    guard let read, object == nil || object?.error != nil else { return }
    guard let shown = object else {
      readObject()
      return notify()
    }
    // If it can't be read now either, the shown one goes on with its own error.
    if let new = try? read() {
      last = shown.viewIfKnown ?? last
      hasGone = hasGone || shown.viewIfKnown != nil && new.state == .absent
      (object, failure) = (new, nil)
    }
    notify()
  }

  /// Reads again after a commit, and notifies if a view would show something else.
  private func readAgain() {
    guard let old = failure else { return }
    readObject()
    if failure.map({ "\($0)" }) != "\(old)" { notify() }
  }

  /// True if nothing has been shown yet, so that no view can have read the state.
  var isFresh: Bool { name == nil }

  /// Does what `show` does, without a notification, while a view is being drawn.
  ///
  /// - Returns: True if those that have read the state before have to be notified afterwards.
  func follow(
    _ id: E.ID, in store: Store?, including paths: @escaping (Row<E, E>) -> Inclusion<E>
  ) -> Bool {
    let name = ObjectID(E.self, id)
    if store === self.store, let shown = self.name {
      // NaN isn't equal to itself.
      if name == shown || name.id.isNaN && "\(name)" == "\(shown)" { return false }
    }
    last = object?.viewIfKnown ?? last
    (object, retries) = (nil, nil)
    (self.store, self.name, hasGone) = (store, name, false)
    read = store.map { store in
      { try ObservedEntity(awaiting: id, in: store, delivery: .mainActor, including: paths) }
    }
    readObject()
    return true
  }

  /// Notifies those that have read the state.
  func notify() {
    registrar.withMutation(of: self, keyPath: \.error) {
      registrar.withMutation(of: self, keyPath: \.view) {}
    }
  }

  private func readObject() {
    guard let store, let read else { return failure = MissingStore() }
    // It is there before the object is read, so that no commit comes between.
    let retries = retries ?? store.afterEachCommit { [weak self] in self?.readAgain() }
    do {
      object = try read()
      (failure, self.retries) = (nil, nil)
    } catch {
      (failure, self.retries) = (error, retries)
    }
  }

  // MARK: Changing

  /// An attribute as it is shown now; setting it commits.
  ///
  /// If the object doesn't exist any more, it is the attribute of the object that was shown last.
  /// If a change can't be committed, the attribute stays as it is and ``error`` says why. A commit
  /// waits for the body of another thread's commit.
  ///
  /// - Precondition: An object has been shown: `view` isn't nil, or it wasn't nil before.
  public subscript<Value>(path: WritableKeyPath<E, Value>) -> Value {
    get { self[path, named: nil] }
    set { self[path, named: nil] = newValue }
  }

  /// An attribute as it is shown now; setting it commits under a name, so that it can be undone.
  ///
  /// - Precondition: An object has been shown: `view` isn't nil, or it wasn't nil before.
  public subscript<Value>(path: WritableKeyPath<E, Value>, named name: String?) -> Value {
    get {
      registrar.access(self, keyPath: \.view)
      guard let view = object?.viewIfKnown ?? last else {
        mistake(
          "\(E.entityName) isn't there, so it has no attributes; ask for them where the property "
            + "isn't nil: if let todo { Toggle(todo.title, isOn: $todo.isDone) }")
      }
      return view.value[keyPath: path]
    }
    set { update(named: name) { $0[keyPath: path] = newValue } }
  }

  /// An object that was shown once, for a binding that may outlive it.
  struct Bound: Hashable, Sendable {
    /// The object; nil if none could be read.
    fileprivate let object: ObservedEntity<E>?

    static func == (a: Bound, b: Bound) -> Bool { a.object === b.object }

    func hash(into hasher: inout Hasher) { hasher.combine(object.map(ObjectIdentifier.init)) }
  }

  /// The object that is shown now.
  var bound: Bound { Bound(object: object) }

  /// An attribute of an object that was shown once; setting it commits to that object.
  subscript<Value>(
    path: WritableKeyPath<E, Value>, named name: String?, of bound: Bound
  ) -> Value {
    get {
      registrar.access(self, keyPath: \.view)
      // Not `??`, since the attribute may be optional.
      if let view = bound.object?.viewIfKnown { return view.value[keyPath: path] }
      return self[path, named: name]
    }
    set { update(bound.object ?? object, named: name) { $0[keyPath: path] = newValue } }
  }

  /// Changes the object in a commit.
  ///
  /// If it can't be committed, nothing changes and ``error`` says why.
  ///
  /// - Parameters:
  ///   - name: A name for the change that a person understands, for `undo`.
  ///   - body: The change.
  /// - Precondition: ``show(_:in:including:)`` has been called.
  public func update(named name: String? = nil, _ body: (inout E) throws -> Void) {
    mustHold(
      self.name != nil,
      "An ObservedState changes \(E.entityName) before it shows one; call show(_:in:) first")
    update(object, named: name, body)
  }

  private func update(
    _ object: ObservedEntity<E>?, named name: String?, _ body: (inout E) throws -> Void
  ) {
    var reason = failure
    if let object {
      do {
        try object.update(named: name, body)
        // The reason why nothing is shown stays: this may be an object that was shown before.
        reason = self.object == nil ? failure : nil
      } catch {
        reason = error
      }
    }
    if reason == nil && failure == nil { return }
    registrar.withMutation(of: self, keyPath: \.error) { failure = reason }
  }
}
