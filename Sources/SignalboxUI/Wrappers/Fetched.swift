#if canImport(SwiftUI)
public import EntityStore
public import FetchedObjects
public import SwiftUI

/// A list of a view: the result of a query of the environment's store, kept up to date.
///
///     struct TodoList: View {
///       @Fetched(Query<Todo>().sorted { [$0.title.ascending] }.sectioned { $0.list })
///       var todos
///
///       var body: some View {
///         List {
///           ForEach(todos.sections) { section in
///             Section(section.name) { ForEach(section) { todo in Text(todo.title) } }
///           }
///         }
///       }
///     }
///
/// The list is there when the view is drawn first. A query that depends on a parameter is set in
/// `init`; the view follows it when the parent passes another one:
///
///     init(list: String) { _todos = Fetched(Query().filter { $0.list == list }) }
///
/// `$todos` is the ``FetchedState``: `$todos.error` says why a list can't be read, and also that
/// there is no store.
@MainActor @propertyWrapper
public struct Fetched<E: Entity>: nonisolated DynamicProperty {
  @Environment(\.store) private var store
  @State private var state = FetchedState<E>()
  private let query: Query<E>
  private let animation: Animation?

  /// Creates the list of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - animation: The animation of changes, or nil for none.
  public init(_ query: Query<E>, animation: Animation? = nil) {
    self.query = query
    self.animation = animation
  }

  /// The list that is shown now.
  public var wrappedValue: ListSnapshot<EntityView<E>> { state.list }

  /// The state behind it.
  public var projectedValue: FetchedState<E> { state }

  /// Follows the query and the store; SwiftUI calls it before it draws the view.
  public nonisolated func update() {
    MainActor.assumeIsolated {
      let (state, animation) = (state, animation)
      let isFirst = state.isFresh
      let isAnother = state.follow(query, in: store) { change in
        if let animation { withAnimation(animation, change) } else { change() }
      }
      // This view is about to be drawn. Others that have read the state are notified afterwards.
      if isAnother && !isFirst { Task { state.notify() } }
    }
  }
}
#endif
