internal import EntityStore
internal import Relays

/// Registers the commits of a store that can be undone, and undoes and redoes them.
@MainActor final class UndoBridge {
  private enum Step {
    case undo
    case redo
  }

  /// The store, whose end is that of the subscription, which keeps this object.
  private weak let store: Store?
  private let actions: any UndoActions
  private let failed: @MainActor (any Error) -> Void
  /// The version of the last commit that is registered.
  private var newest: Int64 = 0
  /// True if all commits are about to be registered again.
  private var isRegistering = false
  /// True while an undo or redo runs: what is registered then would be its opposite.
  private var isTaking = false

  /// Begins with the commits that can be undone already; the token keeps this running.
  static func begin(
    for store: Store, _ actions: any UndoActions, failed: @escaping @MainActor (any Error) -> Void
  ) -> SubscriptionToken {
    let bridge = UndoBridge(store, actions, failed)
    // A commit that is made in between is found by both, and registered once.
    let token = store.commits.subscribe(on: .mainActor) { bridge.register($0) }
    bridge.registerAll()
    return token
  }

  private init(
    _ store: Store, _ actions: any UndoActions, _ failed: @escaping @MainActor (any Error) -> Void
  ) {
    self.store = store
    (self.actions, self.failed) = (actions, failed)
  }

  private func registerAll() {
    guard let store else { return }
    let (entries, version) = store.undoState
    newest = max(newest, version)
    for entry in entries { actions.registerAlone(entry.name, action(.undo, of: entry.origin)) }
  }

  /// Registers a commit with a name; an undo has none.
  private func register(_ commit: Commit) {
    guard let store, let name = commit.name, !commit.isExternal, store.historyLimit > 0,
      commit.version > newest
    else { return }
    // A subscriber may have made it in reaction to an undo.
    if isTaking { return registerSoon() }
    newest = commit.version
    actions.register(name, action(.undo, of: commit.version))
  }

  /// Returns the action for the commit that was first made as the version `origin`.
  private func action(_ step: Step, of origin: Int64) -> @MainActor () -> Void {
    { [weak self] in self?.take(step, of: origin) }
  }

  private func take(_ step: Step, of origin: Int64) {
    guard let store else { return }
    isTaking = true
    defer { isTaking = false }
    do {
      let outcome = step == .undo ? try store.undo(of: origin) : try store.redo(of: origin)
      switch outcome {
      case .done(let name, let version):
        newest = max(newest, version)
        actions.register(name, action(step == .undo ? .redo : .undo, of: origin))
      // There is none if the history has forgotten the commit.
      case .nothing: return
      // A commit that isn't registered yet, or one before the commit that another undo manager has
      // undone, would be undone in place of the one that is shown.
      case .isBehind:
        actions.removeAll()
        registerSoon()
      }
    } catch {
      end(error)
    }
  }

  /// Reports an error, and makes the actions fit the commits that can be undone: one of the actions
  /// is used up, and its commit isn't undone.
  private func end(_ error: any Error) {
    actions.removeAll()
    switch error {
    case StoreError.outcomeUnknown: break
    case StoreError.storage(let fault) where fault.kind != .corrupt:
      // The commit can be undone later.
      registerSoon()
    default:
      do { try store?.clearHistory() } catch { failed(error) }
    }
    failed(error)
  }

  /// Registers all commits again later, when no undo or redo runs.
  private func registerSoon() {
    if !isRegistering { Task { @MainActor [weak self] in self?.registerAgain() } }
    isRegistering = true
  }

  private func registerAgain() {
    isRegistering = false
    actions.removeAll()
    registerAll()
  }
}
