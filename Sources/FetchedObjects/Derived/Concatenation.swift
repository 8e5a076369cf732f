internal import ListDiffing
internal import Locking
internal import Relays

/// The engine of a concatenated list: it keeps the list up to date with its parts.
final class Concatenation<Row: Diffable & Sendable>: Sendable {
  /// The receiver of one part's events.
  ///
  /// The part holds it weakly, and the concatenation strongly.
  private final class Part: ListDependent {
    private let index: Int
    private let receive: @Sendable (Int, ListEvent<Row>) -> Void

    init(_ index: Int, _ receive: @escaping @Sendable (Int, ListEvent<Row>) -> Void) {
      self.index = index
      self.receive = receive
    }

    func show(_ event: ListEvent<Row>) { receive(index, event) }
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

  private enum State: Sendable {
    case beginning([(part: Int, event: ListEvent<Row>)])
    case following(ConcatenatedContent<Row>, Merged)
  }

  let core = DerivedCore<Row>()
  private let upstreams: [ListUpstream<Row>]
  private let parts = Locked<[Part]>([])
  private let state = Locked(State.beginning([]))

  init(_ upstreams: [ListUpstream<Row>]) {
    mustHold(!upstreams.isEmpty, "A concatenated list needs at least one part")
    mustHold(
      upstreams.allSatisfy { $0.place === upstreams[0].place },
      "The parts of a concatenated list deliver in different places; create their models with the "
        + "same delivery, and with .immediate from one store")
    self.upstreams = upstreams
    var seen: Set<ObjectIdentifier> = []
    for turns in upstreams.flatMap(\.turns) where seen.insert(ObjectIdentifier(turns)).inserted {
      turns.add(core)
    }
    let parts = upstreams.indices.map { index in
      Part(index) { [weak self] index, event in self?.show(event, of: index) }
    }
    self.parts.withLock { $0 = parts }
    for (upstream, part) in zip(upstreams, parts) { upstream.dependents.add(part) }
    begin()
  }

  private func begin() {
    var content = ConcatenatedContent(upstreams.map { $0.shown() })
    while true {
      let early = state.withLock { state -> [(part: Int, event: ListEvent<Row>)] in
        guard case .beginning(let events) = state, !events.isEmpty else {
          core.begin(with: content)
          state = .following(content, Merged())
          return []
        }
        state = .beginning([])
        return events
      }
      if early.isEmpty { return }
      for (part, event) in early where event.before.key == content.parts[part].key {
        content = content.replacing(part, with: event.after)
      }
    }
  }

  private func show(_ event: ListEvent<Row>, of part: Int) {
    let step = state.withLock { state -> (ConcatenatedContent<Row>, Merged)? in
      switch state {
      case .beginning(let events):
        state = .beginning(events + [(part, event)])
        return nil
      case .following(let content, let merged): return (content, merged)
      }
    }
    guard let (before, last) = step, event.before.key == before.parts[part].key else { return }
    let after = before.replacing(part, with: event.after)
    // The changes that the parts show before any callback runs are one event of the concatenated
    // list.
    var merged = last
    if !core.hasUntold(merged.group) || !merged.admits(part, event.group) { merged = Merged() }
    merged.groups[part] = .some(event.group)
    let next = merged
    state.withLock { $0 = .following(after, next) }
    if event.changes.isEmpty && !event.isWhole { return }
    core.show(
      ListEvent(
        before: core.shown, changes: event.changes.offset(sections: before.offset(of: part)),
        after: after, versions: event.versions, origin: event.origin, isWhole: event.isWhole,
        group: merged.group))
  }
}
