@_spi(Storage) @testable import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct RepeatedBodyTests {
  private func isConflict(_ error: any Error) -> Bool {
    if case StoreError.storage(let fault) = error { fault.kind == .conflict } else { false }
  }

  @Test(arguments: [false, true])
  func `S1: a body that had to give way runs again, as often as the storage allows`(
    _ suspends: Bool
  ) async throws {
    for attempts in 1...3 {
      let storage = FlakyStorage(attempts: attempts)
      let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
      store.historyLimit = 10
      let events = Recorder(store.commits)
      var id = 0
      for conflicts in 0...3 {
        storage.conflicts.store(conflicts)
        id += 1
        var runs = 0
        func commit() async throws {
          let write = { (draft: inout Draft) in
            runs += 1
            try draft.insert(Car(id: id, model: "", year: runs, owner: nil))
          }
          if suspends {
            try await store.commitAsync(named: "car", write)
          } else {
            try store.commit(named: "car", write)
          }
        }
        let before = events.values.count
        do {
          try await commit()
          #expect(conflicts < attempts && runs == conflicts + 1)
          #expect(try store.find(Car.self, id)?.year == runs)
          #expect(events.values.count == before + 1)
        } catch {
          #expect(isConflict(error) && conflicts >= attempts && runs == attempts)
          #expect(try store.find(Car.self, id) == nil)
          #expect(events.values.count == before)
        }
      }
      storage.conflicts.store(0)
      #expect(try store.undo() != nil)
    }
  }

  @Test(arguments: [false, true])
  func `S1: a body doesn't run again for the conflict of another store to which it commits`(
    _ suspends: Bool
  ) async throws {
    let storage = FlakyStorage()
    let there = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let here = try Store(
      .custom { FlakyStorage(attempts: 3) }, entities: [Person.self, Car.self])
    storage.conflicts.store(1)
    var runs = 0
    let write = { (draft: inout Draft) in
      runs += 1
      try draft.insert(Car(id: 1, model: "", year: runs, owner: nil))
      try there.commit { try $0.insert(Car(id: 1, model: "", year: 0, owner: nil)) }
    }
    do {
      if suspends {
        try await here.commitAsync(write)
      } else {
        try here.commit(write)
      }
      Issue.record("It has been made")
    } catch {
      #expect(isConflict(error), "\(error)")
    }
    let counts = try [here, there].map { try $0.count(Query<Car>()) }
    #expect(runs == 1 && counts == [0, 0])
  }

  @Test func `S1: a task that is cancelled after its body has run gets the conflict`() async throws
  {
    let storage = FlakyStorage(attempts: 3)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    storage.conflicts.store(2)
    var runs = 0
    do {
      try await store.commitAsync { draft in
        runs += 1
        withUnsafeCurrentTask { $0?.cancel() }
        try draft.insert(Car(id: 1, model: "", year: 0, owner: nil))
      }
      Issue.record("It has been made")
    } catch {
      #expect(isConflict(error), "\(error)")
    }
    let count = try store.count(Query<Car>())
    #expect(runs == 1 && count == 0)
  }

  @Test(arguments: [false, true])
  func `R3: the result of an attempt that gave way is released while no lock is held`(
    _ suspends: Bool
  ) async throws {
    final class Result: Sendable {
      let store: Store
      let held: Recorded
      init(_ store: Store, _ held: Recorded) { (self.store, self.held) = (store, held) }
      deinit { held.all.withLock { $0.append(store.writer.isHeldHere) } }
    }
    final class Recorded: Sendable { let all = Locked<[Bool]>([]) }
    let storage = FlakyStorage(attempts: 3)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    storage.conflicts.store(2)
    let held = Recorded()
    let write = { (draft: inout Draft) throws -> Result in
      try draft.insert(Car(id: 1, model: "", year: 1, owner: nil))
      return Result(store, held)
    }
    let last = suspends ? try await store.commitAsync(write) : try store.commit(write)
    #expect(held.all.withLock { $0 } == [false, false])
    withExtendedLifetime(last) {}
  }

  @Test func `S1: an error of the body isn't a conflict, and it doesn't run again`() throws {
    struct Failure: Error {}
    let store = try Store(.custom { FlakyStorage(attempts: 5) }, entities: [Car.self, Person.self])
    var runs = 0
    #expect(throws: Failure.self) {
      try store.commit { _ in
        runs += 1
        throw Failure()
      }
    }
    #expect(runs == 1)
  }
}
