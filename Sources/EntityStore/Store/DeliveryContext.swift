internal import Locking
internal import Relays

/// What a store has to show and tell in one place, in the order of its commits.
///
/// Each commit takes a turn in each place that it concerns. A batch of turns is shown whole before
/// anybody there is called (F13). A turn of listeners that want the latest only joins the batch
/// before it while that waits, so a busy place has no more batches than turns that must be told each
/// by itself; at the limit those are joined, too (F12). Only who can't be told of several at once is
/// told of each all the same, and before the next (F13), so such a turn always ends its batch.
package final class DeliveryContext: Sendable {
  /// What is shown and told at a time.
  fileprivate struct Batch: Sendable {
    /// The last turn in it.
    var turn: Int
    var parts: [DeliveryTicket]
    var commits: [Commit]
    /// The listeners among the parts by their sequence, once it has several turns.
    var listeners: Set<Int>?

    mutating func join(_ turn: Int, _ others: [DeliveryTicket], _ commit: Commit?) {
      self.turn = turn
      if let commit { commits.append(commit) }
      var listeners = listeners ?? Set(parts.lazy.filter(\.isOfListener).map(\.sequence))
      for part in others where !part.isOfListener || listeners.insert(part.sequence).inserted {
        parts.append(part)
      }
      self.listeners = listeners
    }
  }

  private struct State: Sendable {
    /// How many turns there have been.
    var turn = 0
    /// The last turn of the last batch that takes no more.
    var ended = 0
    /// The batches that take no more.
    var closed = Fifo<Batch>()
    /// The batch that takes the next turn, too.
    var open: Batch?
  }

  let queue: DeliveryQueue
  /// Who is told of all commits, in the store's own place.
  private let commits: Relay<Commit>?
  /// How many batches may wait before turns are joined that want to be told each by itself.
  private let limit: Int
  private let state = Locked(State())

  init(_ queue: DeliveryQueue, commits: Relay<Commit>? = nil, limit: Int = 10_000) {
    self.queue = queue
    self.commits = commits
    self.limit = limit
  }

  /// Whether nothing is delivered here any more, since the actor has gone.
  ///
  /// It may be asked under a lock, and is true from when the queue is first run after the actor's end.
  package var isGone: Bool { queue.isKnownGone }

  /// The next turn, and the last one that others can't be joined with any more.
  ///
  /// They hold until the store's `placing` is left.
  package var turns: (next: Int, ended: Int) {
    state.withLock { ($0.turn + 1, $0.ended) }
  }

  /// Whether a commit is told here though no observer is concerned.
  var sendsCommits: Bool { commits?.hasSubscribers ?? false }

  /// Adds the next turn; the queue is to be run afterwards.
  ///
  /// If the actor is deallocated, the turn and all that wait are dropped.
  func append(_ parts: [DeliveryTicket], _ commit: Commit? = nil) {
    let isGone = isGone
    let commit = sendsCommits ? commit : nil
    let needsEach = commit != nil || parts.contains { !$0.isOfListener }
    let wantsEach = !parts.allSatisfy(\.mergesWhatWaits)
    let isNew = state.withLock { state -> Bool in
      state.turn += 1
      if isGone {
        ReleasePool.add((state.closed, state.open, parts))
        state.closed = Fifo()
        state.open = nil
        return false
      }
      let open = state.open.take()
      var batch =
        open ?? Batch(turn: state.turn, parts: parts, commits: commit.map { [$0] } ?? [])
      if open != nil { batch.join(state.turn, parts, commit) }
      if needsEach || (wantsEach && state.closed.count < limit) {
        state.ended = state.turn
        state.closed.append(batch)
      } else {
        state.open = batch
      }
      return open == nil
    }
    if isNew { queue.enqueue { ReleasePool.openInner { self.deliver() } } }
  }

  /// Shows and tells the oldest batch.
  private func deliver() {
    let batch = state.withLock { state -> Batch? in
      if let batch = state.closed.popFirst() { return batch }
      guard let batch = state.open.take() else { return nil }
      state.ended = batch.turn
      return batch
    }
    guard var batch else { return }
    if batch.listeners != nil { batch.parts.sort { $0.sequence < $1.sequence } }
    for part in batch.parts { part.show(batch.turn) }
    for commit in batch.commits { commits?.send(commit) }
    for part in batch.parts { part.tell() }
  }
}
