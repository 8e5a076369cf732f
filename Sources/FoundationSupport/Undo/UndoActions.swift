/// The place where actions of undo are registered: Foundation's `UndoManager`, or one for tests.
@MainActor protocol UndoActions {
  /// Registers an action; while an action runs, this is its opposite.
  func register(_ name: String, _ action: @escaping @MainActor () -> Void)
  /// Registers an action that isn't undone together with others.
  func registerAlone(_ name: String, _ action: @escaping @MainActor () -> Void)
  /// Removes all actions that were registered here.
  func removeAll()
}
