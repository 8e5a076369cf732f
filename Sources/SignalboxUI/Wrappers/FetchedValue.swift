#if canImport(SwiftUI)
internal import EntityStore
internal import FetchedObjects
public import SwiftUI

/// A value of a view: what a closure reads from the environment's store, kept up to date.
///
///     struct Overdue: View {
///       @FetchedValue({ try $0.count(Query<Todo>().filter { $0.due < Moment.now }) })
///       var overdue: Int?
///
///       var body: some View { Text("\(overdue ?? 0) overdue") }
///     }
///
/// The closure may run several queries; all of them read one version. The view is drawn again when
/// the value changes. A closure that depends on a parameter is set in `init`, with what it depends
/// on as its key; the view follows when the parent passes another one:
///
///     init(list: String) {
///       _count = FetchedValue(for: list) {
///         try $0.count(Query<Todo>().filter { $0.list == list })
///       }
///     }
///
/// The property is nil until the value could be read. `$overdue` is the ``FetchedValueState``:
/// `$overdue.error` says why it can't be, and also that there is no store.
@MainActor @propertyWrapper
public struct FetchedValue<Value: Equatable & Sendable>: nonisolated DynamicProperty {
  @Environment(\.store) private var store
  @State private var state = FetchedValueState<Value>()
  private let key: AnyHashable
  private let read: FetchedValueState<Value>.Read

  /// Creates the value of a closure that depends on nothing but the store.
  ///
  /// - Parameter read: Makes the value, as that of `ObservedValue`.
  public init(_ read: @escaping FetchedValueState<Value>.Read) { self.init(for: true, read) }

  /// Creates the value of a closure that depends on something.
  ///
  /// - Parameters:
  ///   - key: What the closure depends on. When it changes, the new closure takes effect. Keys
  ///     are the same if they are equal by `==`, and texts only with the same bytes. A key with NaN
  ///     is the same if it prints the same. For an id of several parts, pass its `ObjectID`.
  ///   - read: Makes the value, as that of `ObservedValue`.
  public init(for key: some Hashable, _ read: @escaping FetchedValueState<Value>.Read) {
    self.key = AnyHashable(key)
    self.read = read
  }

  /// The value that is shown now, or nil before it could be read.
  public var wrappedValue: Value? { state.value }

  /// The state behind it.
  public var projectedValue: FetchedValueState<Value> { state }

  /// Follows the key and the store; SwiftUI calls it before it draws the view.
  public nonisolated func update() {
    MainActor.assumeIsolated {
      let state = state
      let isFirst = state.isFresh
      // This view is about to be drawn. Others that have read the state are notified afterwards.
      if state.follow(for: key, in: store, read) && !isFirst { Task { state.notify() } }
    }
  }
}
#endif
