internal import Locking
internal import Relays

/// The queue of changes that a store delivers in one context, in the order of its commits.
///
/// Each commit takes a turn in each context that it concerns. All turns of a round are applied
/// before any callback of the round runs (F13).
///
/// A turn joins the open round, or begins one. It ends the round if one of its listeners wants
/// every commit. So a busy context has no more rounds than turns that have to be delivered alone.
/// If `limit` rounds are waiting, such a turn no longer ends its round (F12).
///
/// The subscribers of `commits` and `changes(of:)` can't be given several commits at once. So a
/// turn that concerns them always ends its round, and is delivered before the next one (F13).
package final class DeliveryContext: Sendable {
  /// The turns that are delivered together.
  fileprivate struct Round: Sendable {
    /// The last turn of the round.
    var turn: Int
    var parts: [DeliveryTicket]
    var commits: [Commit]
    /// The sequence numbers of the listeners among the parts, once the round has several turns.
    var listeners: Set<Int>?

    mutating func join(_ turn: Int, _ others: [DeliveryTicket], _ commit: Commit?) {
      self.turn = turn
      if let commit { commits.append(commit) }
      // The set is taken out, so that it isn't copied for each turn.
      var listeners =
        self.listeners.take() ?? Set(parts.lazy.filter(\.isOfListener).map(\.sequence))
      for part in others where !part.isOfListener || listeners.insert(part.sequence).inserted {
        parts.append(part)
      }
      self.listeners = listeners
    }
  }

  private struct State: Sendable {
    /// The rounds that take no more turns.
    var closed = Fifo<Round>()
    /// The round that the next turn joins.
    var open: Round?
  }

  let queue: DeliveryQueue
  /// The relay of all commits, in the store's own context only.
  private let commits: Relay<Commit>?
  /// The number of waiting rounds at which listeners for every commit no longer end a round.
  private let limit: Int
  private let state = Locked(State())
  /// The number of turns so far, and the last turn of the newest closed round.
  ///
  /// They are changed under the lock of the state.
  private let turn = AtomicWord(0)
  private let ended = AtomicWord(0)

  init(_ queue: DeliveryQueue, commits: Relay<Commit>? = nil, limit: Int = 10_000) {
    self.queue = queue
    self.commits = commits
    self.limit = limit
  }

  /// True if nothing is delivered here any more, because the actor is deallocated.
  ///
  /// It may be read under a lock. It becomes true when the queue is first run after the actor is
  /// deallocated.
  package var isGone: Bool { queue.isKnownGone }

  /// The next turn, and the last turn of the last round that takes no more turns.
  ///
  /// The next turn stays the same until the store's `installing` lock is released.
  package var turns: (next: Int, ended: Int) { (turn.load() + 1, ended.load()) }

  /// True if a commit is delivered here even if it concerns no observer.
  var sendsCommits: Bool { commits?.hasSubscribers ?? false }

  /// Adds the next turn; the caller runs the queue afterwards.
  ///
  /// If the actor is deallocated, this turn and all waiting turns are dropped.
  func append(_ parts: [DeliveryTicket], _ commit: Commit? = nil) {
    let isGone = isGone
    let commit = sendsCommits ? commit : nil
    let needsEach = commit != nil || parts.contains { !$0.isOfListener }
    let wantsEach = !parts.allSatisfy(\.mergesWhatWaits)
    let isNew = state.withLock { state -> Bool in
      let turn = turn.add(1)
      if isGone {
        ReleasePool.add((state.closed, state.open, parts))
        state.closed = Fifo()
        state.open = nil
        return false
      }
      let isNew = state.open == nil
      var round =
        state.open.take() ?? Round(turn: turn, parts: parts, commits: commit.map { [$0] } ?? [])
      if !isNew { round.join(turn, parts, commit) }
      if needsEach || (wantsEach && state.closed.count < limit) {
        ended.store(turn)
        state.closed.append(round)
      } else {
        state.open = round
      }
      return isNew
    }
    if isNew { queue.enqueue { ReleasePool.openInner { self.deliver() } } }
  }

  /// Applies the oldest round, and calls its subscribers.
  private func deliver() {
    let round = state.withLock { state -> Round? in
      if let round = state.closed.popFirst() { return round }
      guard let round = state.open.take() else { return nil }
      ended.store(round.turn)
      return round
    }
    guard var round else { return }
    if round.listeners != nil { round.parts.sort { $0.sequence < $1.sequence } }
    for part in round.parts { part.show(round.turn) }
    for commit in round.commits { commits?.send(commit) }
    for part in round.parts { part.deliver() }
  }
}
