#if canImport(Darwin)
public import EntityStore
public import Foundation
public import Relays

extension Store {
  /// Has an undo manager undo and redo the commits of this store that have a name.
  ///
  ///     store.historyLimit = 100
  ///     let undo = window.undoManager.map { store.registerUndo(in: $0) { show($0) } }
  ///
  /// The menu shows the names of the commits. Commits of one event are undone together, as is usual
  /// for an undo manager. Commits that can be undone already are registered at once, each alone,
  /// unless the same event has registered something before. An action beyond `historyLimit` does
  /// nothing: set the undo manager's `levelsOfUndo` to the same number.
  ///
  /// An action undoes the commit that the menu shows, or nothing. If another undo manager or a call
  /// of `undo()` has undone it, all commits that can be undone are registered again. What could be
  /// redone isn't. The same happens if a commit with a name comes while an action runs, for example
  /// from a subscriber that reacts to the undo.
  ///
  /// If an undo is refused, because an object has changed since or a rule would be broken, all
  /// actions of the store are removed and its history is cleared: what is before it can't be
  /// undone. If the file can't be written at the moment, the history stays, and what can be undone
  /// is registered again. What could be redone isn't.
  ///
  /// - Parameters:
  ///   - manager: the undo manager of a window or document.
  ///   - failed: takes the error of an undo or redo.
  /// - Returns: the token of the connection, which doesn't keep the store alive. Once it is
  ///   cancelled or released, or the store is deallocated, the actions that were registered do
  ///   nothing.
  @MainActor public func registerUndo(
    in manager: UndoManager, failed: @escaping @MainActor (any Error) -> Void
  ) -> SubscriptionToken {
    UndoBridge.begin(for: self, UndoManagerActions(manager), failed: failed)
  }
}

/// The actions of an undo manager that belong to one store.
private struct UndoManagerActions: UndoActions {
  /// The object by which the undo manager knows the actions.
  private final class Target: Sendable {}

  private let manager: UndoManager
  private let target = Target()

  init(_ manager: UndoManager) { self.manager = manager }

  func register(_ name: String, _ action: @escaping @MainActor () -> Void) {
    // A manager that doesn't group by event raises an exception if no group is open.
    let needsGroup = !manager.groupsByEvent && manager.groupingLevel == 0
    if needsGroup { manager.beginUndoGrouping() }
    // The undo manager doesn't retain the target, so the action does.
    manager.registerUndo(withTarget: target) { [target] _ in
      MainActor.assumeIsolated { withExtendedLifetime(target) { action() } }
    }
    manager.setActionName(name)
    if needsGroup { manager.endUndoGrouping() }
  }

  func registerAlone(_ name: String, _ action: @escaping @MainActor () -> Void) {
    let groups = manager.groupsByEvent
    manager.groupsByEvent = false
    manager.beginUndoGrouping()
    register(name, action)
    manager.endUndoGrouping()
    manager.groupsByEvent = groups
  }

  func removeAll() { manager.removeAllActions(withTarget: target) }
}
#endif
