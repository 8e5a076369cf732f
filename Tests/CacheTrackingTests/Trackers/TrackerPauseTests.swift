import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import TestSupport
import Testing

/// F10: every kind of tracker, on every storage, may be paused.
@Suite struct TrackerPauseTests {
  @Test(arguments: TrackerCase.all)
  func `F10: commits during a pause are one batch when it ends, or none without a difference`(
    _ conformer: TrackerCase
  ) throws {
    let (store, tracker, consumer) = try conformer.makeFilled()
    try tracker.start(recentCars)
    #expect(consumer.ids == [[2, 4, 3, 1]])
    tracker.base.pause()
    try store.commit { try $0.delete(Car.self, 1) }
    try store.commit { try $0.insert(Car(id: 9, model: "Audi", year: 2001, owner: nil)) }
    try store.commit { try $0.update(Car.self, 3) { $0.year = 2015 } }
    #expect(consumer.batches.count == 1)
    tracker.base.resume()
    #expect(consumer.batches.count == 2)
    #expect(consumer.ids == [[9, 2, 4, 3]])
    #expect(consumer.list[0].rows.last?.year == 2015)
    // The two rows that stay aren't in it.
    #expect(consumer.batches.last?.changes.count == 3)
    #expect(consumer.batches.last?.filterValue == "recent")
    tracker.base.pause()
    try store.commit { try $0.insert(Person(id: 9, name: "Eve", age: nil)) }
    tracker.base.resume()
    #expect(consumer.batches.count == 2)
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(consumer.ids == [[9, 2, 3]])
    #expect(consumer.batches.count == 3)
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: TrackerCase.all)
  func `F10: a request during a pause is answered by one batch when it ends`(
    _ conformer: TrackerCase
  ) throws {
    let (store, tracker, consumer) = try conformer.makeFilled()
    tracker.base.pause()
    try tracker.start(recentCars)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(consumer.batches.isEmpty)
    tracker.base.resume()
    #expect(consumer.batches.count == 1)
    #expect(consumer.ids == [[2, 4, 3]])
    tracker.base.pause()
    try store.commit { try $0.delete(Car.self, 2) }
    try tracker.setup(
      CacheRequest(Car.self, orderings: { [$0.model.descending] }, filterValue: "back"))
    try store.commit { try $0.insert(Car(id: 9, model: "Audi", year: 2001, owner: nil)) }
    #expect(consumer.batches.count == 1)
    tracker.base.resume()
    #expect(consumer.batches.count == 2)
    #expect(consumer.batches.last?.filterValue == "back")
    #expect(consumer.ids == [[3, 4, 9]])
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(consumer.ids == [[3, 9]])
    #expect(consumer.failures.isEmpty)
  }
}
