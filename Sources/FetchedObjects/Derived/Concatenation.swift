internal import ListDiffing
internal import Locking

/// The engine of a concatenated list: it keeps the list up to date with its parts.
final class Concatenation<Row: Diffable & Sendable>: Sendable {
  /// The receiver of one part's events.
  ///
  /// The part holds it weakly, and the concatenation strongly.
  private final class Part: ListDependent {
    private let index: Int
    private let receive: @Sendable (Int, ShownEvent<Row>) -> Void

    init(_ index: Int, _ receive: @escaping @Sendable (Int, ShownEvent<Row>) -> Void) {
      self.index = index
      self.receive = receive
    }

    func show(_ event: ShownEvent<Row>) { receive(index, event) }
  }

  /// One event of the concatenated list, and the events of the parts that it comes from.
  private struct Merged: Sendable {
    let group = EventGroup()
    var groups: [Int: EventGroup?] = [:]

    /// Returns true if an event of a part concerns other sections than everything that has been
    /// merged.
    func admits(_ part: Int, _ group: EventGroup?) -> Bool {
      guard let earlier = groups[part] else { return true }
      return group != nil && earlier === group
    }
  }

  private typealias PartEvent = (part: Int, event: ShownEvent<Row>)
  private typealias Version = (content: ConcatenatedContent<Row>, merged: Merged)

  let core = DerivedCore<Row>()
  /// For each model that the parts come from, its notifiers, once.
  let notifiers: [WeakList<any ListNotifier>]
  private let sources: [any ListModel<Row>]
  private let parts = Locked<[Part]>([])
  private let state = Locked(Following<PartEvent, Version>())

  init(_ sources: [any ListModel<Row>]) {
    let upstreams = sources.map { $0.core }
    for source in sources { source.mustBeDerivable() }
    mustHold(!upstreams.isEmpty, "A concatenated list needs at least one part")
    mustHold(
      upstreams.allSatisfy { $0.queue === upstreams[0].queue },
      "The parts of a concatenated list deliver in different contexts; create their models with the "
        + "same delivery, and with .immediate from one store")
    self.sources = sources
    // Several parts may come from one model.
    var seen: Set<ObjectIdentifier> = []
    notifiers = upstreams.flatMap(\.notifiers).filter {
      seen.insert(ObjectIdentifier($0)).inserted
    }
    for list in notifiers { list.add { [weak core] in core } }
    let parts = upstreams.indices.map { index in
      Part(index) { [weak self] index, event in self?.show(event, of: index) }
    }
    self.parts.withLock { $0 = parts }
    for (upstream, part) in zip(upstreams, parts) {
      upstream.dependents.add { [weak part] in part }
    }
    begin()
  }

  private func begin() {
    var content = ConcatenatedContent(sources.map { $0.core.shown.content })
    while true {
      let early = state.withLock { state -> [PartEvent]? in
        let early = state.begin((content, Merged()))
        if early == nil { core.begin(with: content) }
        return early
      }
      guard let early else { return }
      for (part, event) in early where event.before.content.key == content.parts[part].key {
        content = content.replacing(part, by: event)
      }
    }
  }

  private func show(_ event: ShownEvent<Row>, of part: Int) {
    let version = state.withLock { $0.take((part, event)) }
    guard let (before, last) = version, event.before.content.key == before.parts[part].key else {
      return
    }
    let after = before.replacing(part, by: event)
    // The changes that the parts show before any callback runs are one event of the concatenated
    // list.
    var merged = last
    if !core.hasPending(merged.group) || !merged.admits(part, event.group) { merged = Merged() }
    merged.groups[part] = .some(event.group)
    state.withLock { [merged] in $0.follow((after, merged)) }
    if event.changes.isEmpty && !event.isNewQuery && event.reordered.isEmpty { return }
    let first = after.offset(of: part)
    core.show(
      ShownEvent(
        before: core.shown,
        changes: LazyChanges(known: event.changes.offset(sections: before.offset(of: part))),
        after: after, versions: event.versions, origin: event.origin, isNewQuery: event.isNewQuery,
        group: merged.group, reordered: Set(event.reordered.map { first + $0 })))
  }
}
