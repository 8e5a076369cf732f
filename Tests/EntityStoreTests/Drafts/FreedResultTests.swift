import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

/// Makes a commit when it is released.
private final class Committing: Sendable {
  private let store: Store
  private let outcome: Counter

  init(_ store: Store, _ outcome: Counter) {
    self.store = store
    self.outcome = outcome
  }

  deinit {
    do {
      try store.commit { try $0.insert(Owner(id: 7)) }
      outcome.add()
    } catch { Issue.record(error) }
  }
}

@Suite struct FreedResultTests {
  @Test func `R3: the result of a body whose commit is refused is released after the commit`()
    throws
  {
    let store = try Store(.inMemory, entities: [Owner.self, Pet.self])
    let commits = Counter()
    #expect(throws: StoreError.self) {
      _ = try store.commit { draft in
        // Refused when the commit is checked: there is no such owner.
        try draft.insert(Pet(id: 1, owner: Ref(9)))
        return Committing(store, commits)
      }
    }
    // A commit that has returned is kept.
    #expect(commits.value == 1)
    #expect(try store.find(Owner.self, 7) != nil)
  }
}
