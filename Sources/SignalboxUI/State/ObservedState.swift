public import EntityStore
public import FetchedObjects
internal import Locking
public import Observation
internal import Relays

/// One object as a view shows it: what stands behind `@Observed`.
///
///     Toggle("Done", isOn: $todo.isDone)  // $todo is the ObservedState of @Observed(id) var todo
///
/// It follows another object when the id or the store changes. It has no SwiftUI in it, so that an
/// app's tests can use it anywhere.
@MainActor
public final class ObservedState<E: Entity>: Observable {
  private let registrar = ObservationRegistrar()
  private var store: Store?
  private var id: E.ID?
  private var object: ObservedEntity<E>?
  private var failure: (any Error)?

  /// Creates a state that shows no object.
  public init() {}

  // MARK: What is shown

  /// The object with its included values, or nil if it doesn't exist.
  public var view: EntityView<E>? { object?.state == .live ? object?.viewIfKnown : nil }

  /// True if the object has been shown and then deleted.
  public var isDeleted: Bool { object?.state == .deleted }

  /// The reason why the object can't be read or why the last change wasn't committed, or nil.
  ///
  /// The next change that is committed clears it.
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
  ///   - paths: The included values of related objects, one path a line.
  public func show(
    _ id: E.ID, in store: Store?,
    @Inclusion<E>.Builder including paths: (Row<E, E>) -> Inclusion<E> = { _ in Inclusion() }
  ) {
    if store != nil && store === self.store && id == self.id { return }
    object = nil
    self.store = store
    self.id = id
    guard let store else {
      failure = MissingStore()
      return
    }
    do {
      object = try ObservedEntity(awaiting: id, in: store, delivery: .mainActor, including: paths)
      failure = nil
    } catch {
      failure = error
    }
  }

  // MARK: Changing

  /// An attribute as it is shown now; setting it commits.
  ///
  /// After a deletion it is what it was last. If a change can't be committed, the attribute stays
  /// as it is and ``error`` says why. A commit waits for the body of another thread's commit.
  ///
  /// - Precondition: The object has been shown: `view` isn't nil, or ``isDeleted`` is true.
  public subscript<Value>(path: WritableKeyPath<E, Value>) -> Value {
    get { known[dynamicMember: path] }
    set { update { $0[keyPath: path] = newValue } }
  }

  /// Changes the object in a commit.
  ///
  /// If it can't be committed, nothing changes and ``error`` says why.
  ///
  /// - Parameters:
  ///   - name: A name for the change that a person understands, for `undo`.
  ///   - body: The change.
  public func update(named name: String? = nil, _ body: (inout E) throws -> Void) {
    var reason: (any Error)?
    do { try known.update(named: name, body) } catch { reason = error }
    if reason == nil && failure == nil { return }
    registrar.withMutation(of: self, keyPath: \.error) { failure = reason }
  }

  private var known: ObservedEntity<E> {
    guard let object, object.viewIfKnown != nil else {
      mistake(
        "\(E.entityName) isn't there, so it has no attributes; ask for them where the property "
          + "isn't nil: if let todo { Toggle(todo.title, isOn: $todo.isDone) }")
    }
    return object
  }
}
