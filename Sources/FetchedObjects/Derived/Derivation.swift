internal import ListDiffing
internal import Locking

/// The way in which a list is made of another one, and kept up to date with it.
protocol ListDerivation<Input, Output>: Sendable {
  associatedtype Input: Diffable & Sendable
  associatedtype Output: Diffable & Sendable
  associatedtype Content: ListContent<Output>

  /// Traps if the list can't be made of a source.
  func check(_ source: any ListContent<Input>)

  func content(of source: any ListContent<Input>) -> Content

  /// Returns the list after an event of the source, its changes, and the positions of sections with
  /// another order.
  ///
  /// The apps' closures are called with no lock held.
  func advance(_ content: Content, _ event: ShownEvent<Input>) -> (
    content: Content, changes: ListChanges, reordered: Set<Int>
  )
}

extension ListDerivation {
  func check(_ source: any ListContent<Input>) {}
}

/// The engine of a derived list: it keeps the list up to date with its source.
final class DerivationEngine<Derivation: ListDerivation>: ListDependent {
  typealias Input = Derivation.Input
  typealias Output = Derivation.Output

  /// The list that has been made of one version of the source.
  private struct Made: Sendable {
    var source: ListKey
    var content: Derivation.Content
  }

  let core = DerivedCore<Output>()
  private let source: any ListModel<Input>
  private let derivation: Derivation
  private let state = Locked(Following<ShownEvent<Input>, Made>())

  init(_ source: any ListModel<Input>, _ derivation: Derivation) {
    source.mustBeDerivable()
    self.source = source
    self.derivation = derivation
    let upstream = source.core
    for notifiers in upstream.notifiers { notifiers.add { [weak core] in core } }
    upstream.dependents.add { [weak self] in self }
    begin()
  }

  /// Makes the first version, on the caller's thread, while events continue to arrive in the
  /// source's delivery context.
  private func begin() {
    let source = source.core.shown.content
    derivation.check(source)
    var made = Made(source: source.key, content: derivation.content(of: source))
    while true {
      let early = state.withLock { state -> [ShownEvent<Input>]? in
        let early = state.begin(made)
        if early == nil { core.begin(with: made.content) }
        return early
      }
      guard let early else { return }
      // Events before the version that was read are included in it. The other events can't have
      // subscribers yet.
      for event in early where event.before.content.key == made.source {
        made = advance(made, event).made
      }
    }
  }

  func show(_ event: ShownEvent<Input>) {
    let made = state.withLock { $0.take(event) }
    // An event before the version that was read first is included in it. Only the source's delivery
    // context calls this, so there is no other change meanwhile.
    guard let made, event.before.content.key == made.source else { return }
    let (next, changes, reordered) = advance(made, event)
    state.withLock { $0.follow(next) }
    // Lists that are derived from this one follow each version of it, also one whose rows outside
    // alone have changed.
    let isSame = changes.isEmpty && next.content.totalCount == made.content.totalCount
    if isSame && !event.isNewQuery && reordered.isEmpty { return }
    core.show(
      ShownEvent(
        before: core.shown, changes: LazyChanges(known: changes), after: next.content,
        versions: event.versions, origin: event.origin, isNewQuery: event.isNewQuery,
        group: event.group, reordered: reordered))
  }

  /// Returns the version after an event, the changes, and the sections with another order.
  private func advance(
    _ made: Made, _ event: ShownEvent<Input>
  ) -> (made: Made, changes: ListChanges, reordered: Set<Int>) {
    let source = event.after.content.key
    derivation.check(event.after.content)
    if event.changes.isEmpty && !event.isNewQuery && event.reordered.isEmpty {
      return (Made(source: source, content: made.content), ListChanges(), [])
    }
    let (content, changes, reordered) = derivation.advance(made.content, event)
    return (Made(source: source, content: content), changes, reordered)
  }
}
