import CacheTracking
import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// F11: the commit after one that couldn't be read reads anew, though it concerns nothing that the query finds.
@Suite struct TrackerErrorTests {
  private let garage: UnreadCommits
  private var store: Store { garage.store }

  init() throws { garage = try UnreadCommits() }

  @Test(arguments: TrackerKind.allCases)
  func `F10, F11: after an unread commit a tracker fetches again with any commit to its entities`(
    _ kind: TrackerKind
  ) throws {
    let tracker = kind.make(store, includesOwner: true)
    let consumer = Consumer(tracker)
    try tracker.start(CacheRequest(query: recentCarsWithOwners))
    let errors = Recorder(tracker.errors)
    // One that fetches again reads outside the commit.
    try garage.commitUnread(failing: kind == .refetching ? 2 : 1)
    #expect(errors.values.count == 1)
    #expect(consumer.ids == [[2, 5, 3, 1]])
    let count = consumer.batches.count
    try garage.touchOther(2)
    #expect(consumer.batches.count == count)
    #expect(consumer.failures.isEmpty)
  }
}
