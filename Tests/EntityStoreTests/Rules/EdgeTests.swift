@_spi(Storage) @testable import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `Edge cases of rules` {
  @Test func `S6: the changes of an entity that the store doesn't know can't be followed`()
    async throws
  {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Owner.self])
      _ = store.changes(of: Seat.self)
    }
    trap.expectMessage("Seat is not among the entities of this store")
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: of two objects that have one key for a while, the first by id is found`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Seat.self)
    try store.commit { draft in
      // So many that they aren't all found in this order by chance.
      for id in 0..<50 { try draft.insert(Seat(id: id + 100 * (id % 3), code: "c\(id)")) }
    }
    #expect(throws: Refusal()) {
      try store.commit { draft in
        for id in 0..<50 { try draft.insert(Seat(id: 500 - id, code: "c\(id)")) }
        for id in 0..<50 { try draft.insert(Seat(id: 1000 + id, code: "c\(id)")) }
        for id in 0..<50 {
          #expect(
            try draft.find(Seat.self, by: (\.code, "c\(id)"))?.id
              == min(id + 100 * (id % 3), 500 - id))
        }
        throw Refusal()
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: an update of an object that is deleted meanwhile throws, and nothing is written`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    let commits = Recorder(store.commits)
    try store.commit { draft in
      #expect(throws: StoreError.notFound(ObjectID(Owner.self, 1))) {
        try draft.update(Owner.self, 1) { owner in
          owner.name = "Bob"
          try store.commit { inner in
            try inner.delete(Owner.self, 1)
            try inner.insert(Owner(id: 2))
          }
        }
      }
      #expect(try draft.fetch(Query<Owner>()).map(\.name) == ["Ann"])
      // One that comes back meanwhile is there, and the update is written over it.
      try draft.update(Owner.self, 1) { owner in
        owner.name += "!"
        try store.commit { inner in
          try inner.delete(Owner.self, 1)
          try inner.insert(Owner(id: 1, name: "Cid"))
        }
      }
      #expect(try draft.find(Owner.self, 1)?.name == "Ann!")
    }
    #expect(commits.values.map(\.changes.count) == [1])
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: an update keeps the attributes that a nested commit writes, if it leaves them alone`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    func rename(_ id: Int, _ model: String) throws {
      try store.commit { draft in
        try draft.update(Car.self, id) { ($0.model, $0.owner) = (model, nil) }
      }
    }
    try store.commit { draft in
      try draft.update(Car.self, 1) { car in
        car.year = 1
        try rename(1, "inner")
      }
      // The update's own value counts where both write.
      try draft.update(Car.self, 2) { car in
        car.model = "outer"
        try rename(2, "inner")
      }
      #expect(try draft.find(Car.self, 1)?.model == "inner")
    }
    let cars = try [1, 2].map { try #require(try store.find(Car.self, $0)) }
    #expect(cars.map(\.model) == ["inner", "outer"])
    #expect(cars[0].year == 1)
    #expect(cars.allSatisfy { $0.owner == nil })
    try store.commit { draft in
      try draft.updateAll(Query<Car>()) { car in
        car.year = 3
        try rename(car.id, "all \(car.id)")
      }
    }
    let all = try store.fetch(Query<Car>().sorted { [$0.id.ascending] })
    #expect(all.map(\.model) == all.map { "all \($0.id)" })
    #expect(all.allSatisfy { $0.year == 3 })
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a sum is exact in each order of its objects`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Measure.self)
    let large = 1.7e308
    try store.commit { draft in
      for (id, value) in [large, large, 0.5, -large, -large].enumerated() {
        try draft.insert(Measure(id: id, value: value))
      }
    }
    let all = Query<Measure>()
    let orders = [
      all, all.last(5), all.sorted { [$0.value.ascending] }, all.sorted { [$0.value.descending] },
    ]
    for query in orders {
      #expect(try store.sum(of: query) { $0.value } == 0.5)
      #expect(try store.average(of: query) { $0.value } == 0.1)
      try store.commit { draft in
        let sum = try draft.sum(of: query) { $0.value }
        #expect(sum == 0.5)
      }
    }
    #expect(try store.sum(of: all.limit(2)) { $0.value } == .infinity)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: of several objects that prevent a deletion, the first by id is named`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      for id in [5, 3, 4] { try draft.insert(License(id: id, owner: Ref(1))) }
    }
    func expectDenied(by id: Int, _ body: (inout Draft) throws -> Void) throws {
      try store.expectRefusal(
        .deleteDenied(
          ObjectID(Owner.self, 1), referrer: ObjectID(License.self, id), attribute: "owner"), body)
    }
    try expectDenied(by: 3) { try $0.delete(Owner.self, 1) }
    try expectDenied(by: 2) { draft in
      try draft.insert(License(id: 2, owner: Ref(1)))
      try draft.delete(Owner.self, 1)
    }
    try expectDenied(by: 4) { draft in
      try draft.delete(License.self, 3)
      try draft.delete(Owner.self, 1)
    }
  }

  @Test func `S3: all observers show a commit before any subscriber is notified`() throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    let log = Log<String>()
    let observer = PlacedObserver(
      .immediate, in: store, log: log, onInstall: { log.note("install") })
    let observation = observer.follow(store)
    let token = store.commits.subscribe { _ in log.note("commit") }
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(log.entries == ["install", "show 1", "commit", "tell 1"])
    withExtendedLifetime((observation, observer, token)) {}
  }

  @Test func `S1: a commit is in the history when it is delivered`() async throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    store.historyLimit = 10
    let missing = Locked(0)
    let calls = Counter()
    let token = store.commits.subscribe { commit in
      calls.add()
      if (store.history.last?.version ?? 0) < commit.version { missing.withLock { $0 += 1 } }
    }
    try await inThreads(
      (0..<4).map { thread in
        {
          for round in 0..<rounds(5_000) {
            try store.commit { try $0.upsert(Owner(id: thread, name: "\(round)")) }
          }
        }
      })
    token.cancel()
    #expect(missing.withLock { $0 } == 0)
    #expect(calls.value == 4 * rounds(5_000))
  }
}
