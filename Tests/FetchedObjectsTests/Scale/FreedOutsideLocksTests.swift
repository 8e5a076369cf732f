import Dispatch
@_spi(Storage) import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

/// A mark whose commits must read its owner, so that they can fail.
private struct OwnedMark: Entity {
  let id: Int
  var mark: Mark
  var owner: Ref<Person>?
  static let attributes = Attributes(
    .id(\OwnedMark.id), .attribute("mark", \.mark), .one("owner", \.owner, onDelete: .nullify))
  static let schema = Schema(attributes, OwnedMark.init)
}

private let byOwnersName = Query<OwnedMark>().sorted { [$0.owner.name.ascending] }

/// R3: what a user's deinit does when a row or an error goes may use models and stores.
@Suite struct FreedOutsideLocksTests {
  @Test func `R3: an error is freed under no lock`() {
    let calls = Counter()
    let done = finishes {
      do {
        let storage = FlakyStorage()
        let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
        try store.fillGarage()
        let model = try FetchedObjectsModel(byOwner, in: store)
        storage.failure.withLock {
          $0 = { [weak model] in
            CallingError {
              calls.add()
              _ = model?.snapshot.count
            }
          }
        }
        storage.isFailing.store(1)
        try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
        #expect(model.error != nil)
        storage.isFailing.store(0)
        try store.commit { try $0.delete(Car.self, 2) }
        #expect(model.error == nil)
      } catch { Issue.record(error) }
    }
    #expect(done, "an error is freed under a lock")
    #expect(calls.value > 0)
  }

  @Test func `R3: what a store's history forgets is freed under no lock`() {
    let done = finishes {
      do {
        let store = try Store(.inMemory, entities: [Marked.self])
        let world = MarkedWorld()
        store.historyLimit = 10
        try world.fill(store)
        for id in 0..<20 { try world.touch(store, id) }
        world.onEnd.withLock { $0 = { _ = store.history.count + store.undoNames.count } }
        let before = world.alive.value
        store.historyLimit = 0
        #expect(world.alive.value < before)
        world.onEnd.withLock { $0 = nil }
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is freed under the history's lock")
  }

  @Test(arguments: [DeliveryPolicy.every, .coalesced])
  func `R3: what a paused model leaves out is freed under no lock`(_ policy: DeliveryPolicy) {
    let done = finishes {
      do {
        let store = try Store(.inMemory, entities: [Marked.self])
        let world = MarkedWorld()
        try world.fill(store)
        let model = try FetchedObjectsModel(byMark, in: store, policy: policy)
        let other = try FetchedObjectsModel(byMark.limit(5), in: store)
        let offset = AtomicWord(0)
        world.onEnd.withLock {
          $0 = { [weak other] in
            // Takes a turn between two commits.
            try? other?.setWindow(offset: offset.add(1) % 3, limit: 5)
          }
        }
        model.pause()
        other.pause()
        for _ in 0..<10 { try world.touch(store, 1) }
        world.onEnd.withLock { $0 = nil }
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is freed under placing")
  }

  @Test func `R3: what came during a first fetch is freed under no lock`() {
    let calls = Counter()
    let done = finishes {
      do {
        let storage = FlakyStorage()
        let store = try Store(.custom { storage }, entities: [Marked.self])
        let world = MarkedWorld()
        try world.fill(store)
        storage.interruption.withLock {
          $0 = {
            for _ in 0..<5 { try? world.touch(store, 1) }
            world.onEnd.withLock {
              $0 = { [weak store, weak world] in
                calls.add()
                guard let store, let world else { return }
                world.onEnd.withLock { $0 = nil }
                try? world.touch(store, 2)
              }
            }
          }
        }
        let model = try FetchedObjectsModel(byMark, in: store)
        #expect(model.snapshot.count == 20)
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is freed under the lock of a result")
    #expect(calls.value > 0)
  }

  @Test func `R3: whole results that come during a first fetch are freed under no lock`() {
    let calls = Counter()
    let done = finishes {
      do {
        let storage = FlakyStorage()
        let store = try Store(.custom { storage }, entities: [Person.self, OwnedMark.self])
        let world = MarkedWorld()
        try store.commit { draft in
          try draft.insert(ann)
          for id in 0..<20 {
            try draft.insert(OwnedMark(id: id, mark: world.mark(), owner: Ref(ann)))
          }
        }
        let touch = { @Sendable (id: Int) in
          try? store.commit { draft in
            try draft.update(OwnedMark.self, id) { $0.mark = world.mark() }
          }
        }
        let isTouching = Locked(false)
        storage.interruption.withLock {
          $0 = {
            world.onEnd.withLock {
              $0 = {
                // A commit asks the result that is being fetched, which takes its lock.
                let wasTouching = isTouching.withLock { isTouching in
                  defer { isTouching = true }
                  return isTouching
                }
                if wasTouching { return }
                calls.add()
                // Not for ever: a tracker begins when nothing more has come.
                if calls.value < 20 { touch(2) }
                isTouching.withLock { $0 = false }
              }
            }
            // Each commit after one that couldn't be read brings a whole result.
            for number in 0..<6 {
              storage.isFailing.store(1 - number % 2)
              touch(1)
            }
          }
        }
        #expect(try FetchedObjectsModel(byOwnersName, in: store).snapshot.count == 20)
        world.onEnd.withLock { $0 = nil }
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is freed under the lock of a result")
    #expect(calls.value > 0)
  }

  @Test func `R3: an index-only model frees rows under no lock`() {
    let calls = Counter()
    let done = finishes {
      do {
        let store = try Store(.inMemory, entities: [Marked.self])
        let world = MarkedWorld()
        try world.fill(store)
        let model = try IndexedObjectsModel(byMark, in: store)
        world.onEnd.withLock {
          $0 = { [weak model] in
            calls.add()
            _ = model?.snapshot.count
          }
        }
        let token = model.didChange.subscribe { _ in }
        for _ in 0..<5 { try world.touch(store, 1) }
        for path in 0..<5 { _ = try model.object(at: ListPath(section: 0, row: path)) }
        for _ in 0..<5 { try world.touch(store, 1) }
        model.pause()
        for _ in 0..<10 { try world.touch(store, 1) }
        model.resume()
        token.cancel()
        world.onEnd.withLock { $0 = nil }
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is freed under a lock of an index-only model")
    #expect(calls.value > 0)
  }

  @Test func `R3: an observed object frees an error under no lock`() {
    let calls = Counter()
    let done = finishes {
      do {
        let storage = FlakyStorage()
        let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
        try store.fillGarage()
        let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
        storage.failure.withLock {
          $0 = { [weak car] in
            CallingError {
              calls.add()
              _ = car?.state
            }
          }
        }
        storage.isFailing.store(1)
        try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
        #expect(car.error != nil)
        storage.isFailing.store(0)
        try store.commit { try $0.update(Car.self, 1) { $0.year = 2 } }
        #expect(car.error == nil)
      } catch { Issue.record(error) }
    }
    #expect(done)
    #expect(calls.value > 0)
  }

  @Test func `R3: a comparator of an observed object is freed under no lock`() {
    let calls = Counter()
    let done = finishes {
      do {
        let store = try Store(.inMemory, entities: [Person.self, Car.self])
        try store.fillGarage()
        for _ in 0..<40 {
          let captured = CallingError { [weak store] in
            guard let store else { return }
            calls.add()
            _ = try? ObservedEntity<Car>(1, in: store)
          }
          let byModel = ValueComparator<String>("model") { a, b in
            withExtendedLifetime(captured) { a < b }
          }
          _ = try ObservedEntity<Person>(1, in: store) {
            $0.cars.values(by: { [$0.model.ascending(by: byModel)] }) { $0.model }
          }
        }
      } catch { Issue.record(error) }
    }
    #expect(done, "a comparator is freed under the lock of the plans")
    #expect(calls.value > 0)
  }

  @Test func `R3: a row is freed under no lock of the store`() throws {
    let store = try Store(.inMemory, entities: [Marked.self])
    let world = MarkedWorld()
    try world.fill(store)
    let calls = Counter()
    world.onEnd.withLock {
      $0 = { [weak store, weak world] in
        guard let store, let world else { return }
        world.onEnd.withLock { $0 = nil }
        calls.add()
        try? world.touch(store, 2)
      }
    }
    try world.touch(store, 1)
    #expect(calls.value == 1)
  }

  @Test func `F14: a feed whose model is deallocated holds no more than its limit`() throws {
    let store = try Store(.inMemory, entities: [Marked.self])
    let world = MarkedWorld()
    try world.fill(store)
    var model: FetchedObjectsModel<Marked>? = try FetchedObjectsModel(byMark, in: store)
    let feed = try FetchedObjectsFeed(of: #require(model), keeping: 2) { $0.id }
    model = nil
    for id in 0..<1000 { try world.touch(store, id % 20) }
    _ = try feed.page(after: nil)
    #expect(world.alive.value <= 22)
    #expect(model == nil)
  }
}
