#if canImport(SwiftUI)
public import EntityStore
public import SwiftUI

extension EnvironmentValues {
  /// The store of ``Fetched`` and ``Observed`` properties, or nil if no view above has set one.
  public var store: Store? {
    get { self[StoreKey.self] }
    set { self[StoreKey.self] = newValue }
  }
}

private struct StoreKey: EnvironmentKey {
  static let defaultValue: Store? = nil
}

extension View {
  /// Sets the store of the ``Fetched`` and ``Observed`` properties in this view and those below.
  ///
  ///     WindowGroup { TodoList().store(store) }
  public func store(_ store: Store?) -> some View { environment(\.store, store) }
}
#endif
