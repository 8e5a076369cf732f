internal import EntityStore
internal import Relays

/// Registers the commits of a store that can be undone, and undoes and redoes them.
@MainActor final class UndoBridge {
  private enum Step {
    case undo
    case redo
  }

  private let store: Store
  private let actions: any UndoActions
  private let failed: @MainActor (any Error) -> Void

  /// Begins with the commits that can be undone already.
  ///
  /// - Returns: the token that keeps this running.
  static func begin(
    for store: Store, _ actions: any UndoActions, failed: @escaping @MainActor (any Error) -> Void
  ) -> SubscriptionToken {
    let bridge = UndoBridge(store, actions, failed)
    for name in store.undoNames { actions.registerAlone(name, bridge.action(.undo)) }
    return store.commits.subscribe(on: .mainActor) { bridge.register($0) }
  }

  private init(
    _ store: Store, _ actions: any UndoActions, _ failed: @escaping @MainActor (any Error) -> Void
  ) {
    (self.store, self.actions, self.failed) = (store, actions, failed)
  }

  /// Registers a commit with a name; an undo has none.
  private func register(_ commit: Commit) {
    guard let name = commit.name, !commit.isExternal, store.historyLimit > 0 else { return }
    actions.register(name, action(.undo))
  }

  private func action(_ step: Step) -> @MainActor () -> Void {
    { [weak self] in self?.take(step) }
  }

  private func take(_ step: Step) {
    do {
      let name = step == .undo ? try store.undo() : try store.redo()
      // There is none if the history has forgotten the commit.
      guard let name else { return }
      actions.register(name, action(step == .undo ? .redo : .undo))
    } catch {
      // The action is used up, and the commit isn't undone. So no action would fit its commit.
      actions.removeAll()
      do { try store.clearHistory() } catch { failed(error) }
      failed(error)
    }
  }
}
