@_spi(Storage) internal import EntityStore
internal import Locking

/// Collects the objects that get a row number while another query waits to be shown.
///
/// A model then shows an index that it no longer follows. A commit that doesn't concern the next
/// query may delete a shown row and give its number to another object. The step to that query keeps
/// the watch.
final class NumberWatch: CommitObserver {
  private let entity: EntityDescription
  private let state = Locked(Renumbered())
  private let registration = Locked<ObserverRegistration?>(nil)

  init(_ entity: EntityDescription, in store: Store) {
    self.entity = entity
    store.observe(self) { registration in
      registration.follow([entity])
      self.registration.withLock { $0 = registration }
    }
  }

  /// The objects that have, or may have, had a new number since this watch began.
  ///
  /// It includes all commits that can be read.
  var renumbered: Renumbered { state.withLock { $0 } }

  /// Notes the objects before the commit can be read.
  ///
  /// If the commit fails, some objects are noted in vain. A shown row of one of them is then
  /// treated as deleted until the next query is shown.
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let new = Renumbered(in: commit, of: entity)
    state.withLock { $0.formUnion(new) }
    return nil
  }
}
