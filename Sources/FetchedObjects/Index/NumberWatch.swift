@_spi(Storage) internal import EntityStore
internal import Locking

/// Collects the objects that get a row number while another query waits to be shown.
///
/// A model then shows an index that it no longer follows. A commit that doesn't concern the next
/// query may change or delete a shown row, and give its number to another object. The step to that
/// query keeps the watch.
final class NumberWatch: CommitObserver {
  private let entity: EntityDescription
  private let state = Locked(Renumbered())
  private let commits = AtomicWord(0)
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
  /// It includes all commits that can be read.
  var renumbered: Renumbered { state.withLock { $0 } }

  /// True if there has been a commit that may have changed a row of either query.
  var hasSeenCommits: Bool { commits.load() != 0 }

  /// Notes the objects before the commit can be read.
  ///
  /// If the commit fails, some objects are noted in vain. A shown row of one of them is then
  /// treated as deleted until the next query is shown.
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    commits.store(1)
    let new = Renumbered(in: commit, of: entity)
    state.withLock { $0.formUnion(new) }
    return nil
  }
}
