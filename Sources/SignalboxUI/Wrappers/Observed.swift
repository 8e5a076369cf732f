#if canImport(SwiftUI)
public import EntityStore
public import FetchedObjects
public import SwiftUI

/// An object of a view: the one with an id in the environment's store, kept up to date.
///
///     struct TodoDetail: View {
///       @Observed<Todo> var todo: EntityView<Todo>?
///
///       init(id: Todo.ID) { _todo = Observed(id) }
///
///       var body: some View {
///         if let todo {
///           Toggle(todo.title, isOn: $todo.isDone)
///         } else {
///           Text("This one has been deleted.")
///         }
///       }
///     }
///
/// The property is nil if the object doesn't exist. `$todo.isDone` is a binding to an attribute;
/// what is set is committed. With a name it can be undone, if the store keeps a history:
/// `$todo.named("Check off").isDone`. `$todo.state` is the ``ObservedState``: `$todo.state.error`
/// says why a change wasn't committed.
@MainActor @propertyWrapper
public struct Observed<E: Entity>: nonisolated DynamicProperty {
  @Environment(\.store) private var store
  @State private var state = ObservedState<E>()
  private let id: E.ID
  private let paths: (Row<E, E>) -> Inclusion<E>

  /// Follows the object with an id.
  ///
  /// - Parameters:
  ///   - id: The object's id.
  ///   - paths: The included values of related objects, one path a line. They are those of the
  ///     first drawing with this id.
  public init(
    _ id: E.ID,
    @Inclusion<E>.Builder including paths: @escaping (Row<E, E>) -> Inclusion<E> = { _ in
      Inclusion()
    }
  ) {
    self.id = id
    self.paths = paths
  }

  /// The object with its included values, or nil if it doesn't exist.
  public var wrappedValue: EntityView<E>? { state.view }

  /// Bindings to its attributes.
  public var projectedValue: ObservedBindings<E> { ObservedBindings(state: state) }

  /// Follows the id and the store; SwiftUI calls it before it draws the view.
  public nonisolated func update() {
    MainActor.assumeIsolated {
      let state = state
      let isFirst = state.isFresh
      // This view is about to be drawn. Others that have read the state are notified afterwards.
      if state.follow(id, in: store, including: paths) && !isFirst { Task { state.notify() } }
    }
  }
}

/// Bindings to the attributes of an object that a view shows: see ``Observed``.
@MainActor @dynamicMemberLookup
public struct ObservedBindings<E: Entity> {
  /// The state behind the property.
  public let state: ObservedState<E>
  /// The name of the commits, for `undo`, or nil.
  ///
  /// It is private, since a property hides the attribute with its name.
  private var undoName: String?

  /// The object that was shown when the bindings were made.
  private let bound: ObservedState<E>.Bound

  init(state: ObservedState<E>) {
    self.state = state
    bound = state.bound
  }

  /// The same bindings, whose changes are committed under a name that a person understands.
  ///
  ///     Toggle("Done", isOn: $todo.named("Check off").isDone)
  ///
  /// A store that keeps a history lists the name in `undoNames`.
  public func named(_ name: String) -> ObservedBindings {
    var bindings = self
    bindings.undoName = name
    return bindings
  }

  /// A binding to an attribute.
  ///
  /// It is that of the object for which the binding was made, even if the view shows another one
  /// by now. A value that is set is committed to that object.
  ///
  /// - Precondition: The property isn't nil, or was not nil before the object was deleted.
  public subscript<Value>(dynamicMember path: WritableKeyPath<E, Value>) -> Binding<Value> {
    Bindable(state)[dynamicMember: \.[path, named: undoName, of: bound]]
  }
}
#endif
