internal import ListDiffing
internal import Locking
internal import Relays

/// The engine of `map`, `filter` and `compactMap`: it keeps a list up to date that is made of the
/// rows of another.
final class Derivation<Input: Diffable & Sendable, Output: Diffable & Sendable>: ListDependent {
  /// The list that has been made of one version of the source.
  private struct Made: Sendable {
    var source: ListKey
    var content: DerivedContent<Output>
  }

  private enum State: Sendable {
    /// The first version is being made. These events have arrived meanwhile.
    case beginning([ShownEvent<Input>])
    case following(Made)
  }

  let core = DerivedCore<Output>()
  private let source: any ListModel<Input>
  private let transform: @Sendable (Input) -> Output?
  private let kind: DerivationKind
  private let state = Locked(State.beginning([]))

  init(
    _ source: any ListModel<Input>, _ kind: DerivationKind,
    _ transform: @escaping @Sendable (Input) -> Output?
  ) {
    source.mustBeDerivable()
    self.source = source
    self.kind = kind
    self.transform = transform
    let upstream = source.core
    for notifiers in upstream.notifiers { notifiers.add { [weak core] in core } }
    upstream.dependents.add { [weak self] in self }
    begin()
  }

  /// Makes the first version, on the caller's thread, while events continue to arrive in the
  /// source's delivery context.
  private func begin() {
    let source = source.core.shown.content
    var made = Made(source: source.key, content: DerivedContent(source, transform))
    while true {
      let early = state.withLock { state -> [ShownEvent<Input>] in
        guard case .beginning(let events) = state, !events.isEmpty else {
          core.begin(with: made.content)
          state = .following(made)
          return []
        }
        state = .beginning([])
        return events
      }
      if early.isEmpty { return }
      // Events before the version that was read are included in it. The other events can't have
      // subscribers yet.
      for event in early where event.before.content.key == made.source {
        made = advance(made, event).made
      }
    }
  }

  func show(_ event: ShownEvent<Input>) {
    let made = state.withLock { state -> Made? in
      guard case .beginning(var events) = state else {
        guard case .following(let made) = state else { return nil }
        return made
      }
      events.append(event)
      state = .beginning(events)
      return nil
    }
    // An event before the version that was read first is included in it. Only the source's delivery
    // context calls this, so there is no other change meanwhile.
    guard let made, event.before.content.key == made.source else { return }
    let (next, changes) = advance(made, event)
    state.withLock { $0 = .following(next) }
    if changes.isEmpty && !event.isNewQuery { return }
    core.show(
      ShownEvent(
        before: core.shown, changes: LazyChanges(known: changes), after: next.content,
        versions: event.versions, origin: event.origin, isNewQuery: event.isNewQuery,
        group: event.group))
  }

  /// Returns the version after an event and the changes.
  ///
  /// `transform` is called with no lock held.
  private func advance(
    _ made: Made, _ event: ShownEvent<Input>
  ) -> (made: Made, changes: ListChanges) {
    if event.changes.isEmpty && !event.isNewQuery {
      return (Made(source: event.after.content.key, content: made.content), ListChanges())
    }
    let step = DerivationStep(
      event, of: made.content.sections, isFilter: kind == .filter, transform)
    let content = DerivedContent(
      step.after, count: made.content.count + step.countDifference, of: event.after.content)
    return (
      Made(source: event.after.content.key, content: content),
      kind == .map ? step.changesKeepingAll() : step.changes()
    )
  }
}
