@_spi(Storage) internal import EntityStore
internal import Locking

/// Collects the objects that get a row number while another query waits to be shown.
///
/// A model then shows an index that it no longer follows. A commit that doesn't concern the next
/// query may change or delete a shown row, and give its number to another object. The step to that
/// query keeps the watch.
final class NumberWatch: CommitObserver {
  /// The objects that a prepared commit gives numbers.
  ///
  /// Only the prepared work keeps it alive, so nothing stays of a commit that fails.
  private final class Attempt: Sendable {
    let renumbered: Renumbered

    init(_ renumbered: Renumbered) { self.renumbered = renumbered }
  }

  private struct State: Sendable {
    /// The objects of installed commits.
    var noted = Renumbered()
    /// True if a commit has been installed.
    var hasSeenCommits = false
    /// The commit that is prepared, which may be readable already.
    weak var running: Attempt?
  }

  private let entity: EntityDescription
  private let state = Locked(State())
  private let registration = Locked<ObserverRegistration?>(nil)

  /// Watches the commits that may concern either query.
  init(_ old: ResultPlan, _ next: ResultPlan, in store: Store) {
    entity = old.query.entity
    store.observe(self) { [entity] registration in
      registration.follow(old.entities.union(next.entities).union([entity]))
      self.registration.withLock { $0 = registration }
    }
  }

  /// The objects that have, or may have, had a new number since this watch began.
  ///
  /// It includes all commits that can be read. If they are too many, any object may be one of them.
  var renumbered: Renumbered {
    let (noted, running) = state.withLock { ($0.noted, $0.running) }
    return running.map { noted.union($0.renumbered) } ?? noted
  }

  /// True if there has been a commit that may have changed a row of either query.
  var hasSeenCommits: Bool { state.withLock { $0.hasSeenCommits } }

  /// Notes the objects before the commit can be read.
  ///
  /// If the commit fails, they are forgotten together with the prepared work. Until then, a shown
  /// row of one of them is treated as deleted.
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let attempt = Attempt(Renumbered(in: commit, of: entity))
    state.withLock { $0.running = attempt }
    return PreparedDelivery { [self] in
      state.withLock { state in
        state.noted.collect(attempt.renumbered)
        state.hasSeenCommits = true
      }
      return []
    }
  }
}
