@_spi(Storage) import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `Commits are atomic, serial and published in order` {
  @Test(arguments: TestStorage.withServer)
  func `S1: a commit that returns is stored and its events have been delivered`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    let commits = Recorder(store.commits)
    let result = try store.commit { draft in
      try draft.insert(Owner(id: 1, name: "Ann"))
      #expect(commits.values.isEmpty)
      return "done"
    }
    #expect(result == "done")
    #expect(commits.values.map(\.version) == [1])
    #expect(try store.version == 1)
    #expect(try store.find(Owner.self, 1)?.name == "Ann")
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: a body that throws changes and publishes nothing`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    let commits = Recorder(store.commits)
    #expect(throws: Refusal()) {
      try store.commit { draft in
        try draft.update(Owner.self, 1) { $0.name = "Bob" }
        try draft.insert(Owner(id: 2))
        throw Refusal()
      }
    }
    #expect(
      throws: StoreError.missingReference(
        ObjectID(Pet.self, 1), attribute: "owner", target: ObjectID(Owner.self, 9))
    ) {
      try store.commit { draft in
        try draft.delete(Owner.self, 1)
        try draft.insert(Pet(id: 1, owner: Ref(9)))
      }
    }
    #expect(commits.values.isEmpty)
    #expect(try store.version == 1)
    #expect(try store.all(Owner.self).map(\.name) == ["Ann"])
    #expect(try store.count(Query<Pet>()) == 0)
    try store.commit { try $0.insert(Owner(id: 2)) }
    #expect(commits.values.map(\.version) == [2])
  }

  @Test(arguments: TestStorage.withServer, [FaultyStorage.Step.begin, .apply, .commit])
  func `S1: a storage that fails changes and publishes nothing, and the next commit succeeds`(
    _ storage: TestStorage, _ step: FaultyStorage.Step
  ) throws {
    let faulty = FaultyStorage(try storage.makeStorage())
    let store = try Store(.custom { faulty }, entities: [Owner.self])
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    let commits = Recorder(store.commits)
    let observer = CountingObserver(in: store)
    let observation = store.observe(observer) { observation in
      observation.follow([Owner.schema.entity])
      return observation
    }
    faulty.fail(at: step)
    #expect(throws: FaultyStorage.Fault()) {
      try store.commit { try $0.update(Owner.self, 1) { $0.name = "Bob" } }
    }
    #expect(commits.values.isEmpty)
    #expect(observer.calls == (step == .commit ? ["prepare 2"] : []))
    #expect(try store.version == 1)
    #expect(try store.find(Owner.self, 1)?.name == "Ann")
    try store.commit { try $0.update(Owner.self, 1) { $0.name = "Cid" } }
    #expect(commits.values.map(\.version) == [2])
    #expect(observer.calls.suffix(4) == ["prepare 2", "install 2", "show 2", "tell 2"])
    #expect(try store.find(Owner.self, 1)?.name == "Cid")
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: after an unknown outcome commits are refused and reads continue`(_ storage: TestStorage)
    throws
  {
    let faulty = FaultyStorage(try storage.makeStorage())
    let store = try Store(.custom { faulty }, entities: [Owner.self])
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    let commits = Recorder(store.commits)
    let unknown = StoreError.outcomeUnknown(version: 2)
    faulty.fail(at: .commit, with: unknown)
    #expect(throws: unknown) { try store.commit { try $0.delete(Owner.self, 1) } }
    #expect(throws: unknown) {
      try store.commit { _ in Issue.record("The body of a refused commit runs") }
    }
    #expect(commits.values.isEmpty)
    #expect(try store.find(Owner.self, 1)?.name == "Ann")
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: several threads commit one after another and everyone sees one order`(
    _ storage: TestStorage
  ) async throws {
    let store = try storage.makeHousehold()
    let recorders = (0..<3).map { _ in Recorder(store.commits) }
    let threads = 4
    let rounds = storage == .memory ? 200 : 50
    try await inThreads(
      (0..<threads).map { thread in
        {
          for round in 0..<rounds {
            try store.commit { draft in
              let count = try draft.find(Owner.self, 0).flatMap { Int($0.name) } ?? 0
              try draft.upsert(Owner(id: 0, name: "\(count + 1)"))
              try draft.insert(Owner(id: 1 + thread * rounds + round))
            }
          }
        }
      })
    let total = threads * rounds
    for recorder in recorders {
      #expect(recorder.values.map(\.version) == Array(1...Int64(total)))
      for (index, commit) in recorder.values.enumerated() {
        let changes = commit.changes(of: Owner.self)
        let counter = changes.inserted.first { $0.id == 0 } ?? changes.updated.first?.new
        #expect(counter?.name == "\(index + 1)")
      }
    }
    #expect(try store.count(Query<Owner>()) == total + 1)
    #expect(try store.version == Int64(total))
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: a commit of nothing makes no version and no event`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    let commits = Recorder(store.commits)
    try store.commit { _ in }
    try store.commit { draft in try draft.update(Owner.self, 1) { $0.name = "Ann" } }
    try store.commit { draft in try draft.upsert(Owner(id: 1, name: "Ann")) }
    try store.commit { draft in
      try draft.insert(Owner(id: 2))
      try draft.delete(Owner.self, 2)
    }
    try store.commit { draft in
      try draft.delete(Owner.self, 1)
      try draft.insert(Owner(id: 1, name: "Ann"))
    }
    #expect(commits.values.isEmpty)
    #expect(try store.version == 1)
    try store.commit { draft in
      try draft.delete(Owner.self, 1)
      try draft.insert(Owner(id: 1, name: "Bob"))
    }
    let changes = try #require(commits.values.first).changes(of: Owner.self)
    #expect(changes.updated.map(\.old.name) == ["Ann"])
    #expect(changes.updated.map(\.new.name) == ["Bob"])
    #expect(changes.inserted.isEmpty && changes.deleted.isEmpty)
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: a nested commit joins the outer one, in one version and one event`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    let commits = Recorder(store.commits)
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      try store.commit { inner in
        #expect(try inner.find(Owner.self, 1) != nil)
        try inner.insert(Owner(id: 2))
        try store.commit { try $0.insert(Owner(id: 3)) }
      }
      #expect(commits.values.isEmpty)
      #expect(try draft.count(Query<Owner>()) == 3)
      try draft.insert(Owner(id: 4))
    }
    #expect(commits.values.map(\.version) == [1])
    #expect(commits.values.first?.changes(of: Owner.self).inserted.map(\.id) == [1, 2, 3, 4])
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: a nested commit that throws undoes its own writes only`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    try store.commit { draft in
      try draft.insert(Owner(id: 1, name: "Ann"))
      try draft.insert(Owner(id: 2, name: "Bob"))
      try draft.insert(Pet(id: 1, owner: Ref(1)))
    }
    try store.commit { draft in
      try draft.update(Owner.self, 1) { $0.name = "Ann 2" }
      #expect(throws: Refusal()) {
        try store.commit { inner in
          try inner.update(Owner.self, 1) { $0.name = "undone" }
          try inner.delete(Owner.self, 2)
          try inner.insert(Owner(id: 3, name: "undone"))
          try inner.update(Pet.self, 1) { $0.owner = Ref(3) }
          throw Refusal()
        }
      }
      #expect(try draft.fetch(Query<Owner>()).map(\.name) == ["Ann 2", "Bob"])
      #expect(try draft.fetch(Query<Pet>().filter { $0.owner.name == "Ann 2" }).map(\.id) == [1])
      try draft.insert(Owner(id: 3, name: "Cid"))
    }
    #expect(try store.all(Owner.self).map(\.name) == ["Ann 2", "Bob", "Cid"])
    #expect(try store.find(Pet.self, 1)?.owner == Ref(1))
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: savepoints nest, whichever of them throw`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    // Three levels, each of which writes before and after the next one; the bits say which throw.
    try withEvery("throwing", in: 0..<8) { throwing in
      try store.commit { try $0.upsert(Owner(id: 1, name: "-")) }
      func level(_ depth: Int, _ draft: inout Draft) throws {
        try draft.update(Owner.self, 1) { $0.name += "\(depth)(" }
        if depth < 3 {
          do {
            try store.commit { try level(depth + 1, &$0) }
          } catch is Refusal {}
        }
        try draft.update(Owner.self, 1) { $0.name += ")" }
        if throwing & (1 << (depth - 1)) != 0 { throw Refusal() }
      }
      func expected(_ depth: Int) -> String {
        if throwing & (1 << (depth - 1)) != 0 { return "" }
        return "\(depth)(" + (depth < 3 ? expected(depth + 1) : "") + ")"
      }
      do {
        try store.commit { try level(1, &$0) }
      } catch is Refusal {}
      expectEqual(try store.find(Owner.self, 1)?.name ?? "", "-" + expected(1))
    }
  }

  @Test func `S2: a draft used after its commit traps`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(.inMemory, entities: [Owner.self])
      let other = try Store(.inMemory, entities: [Owner.self])
      // A draft can't be copied, but it can be swapped with one that lives longer.
      try store.commit { draft in
        try other.commit { swap(&draft, &$0) }
        try draft.insert(Owner(id: 1))
      }
    }
    trap.expectMessage("A draft is used after its commit")
  }

  @Test(arguments: TestStorage.withServer)
  func `S3: a commit made in a callback is delivered after the current one`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeHousehold()
    let log = Locked<[String]>([])
    let first = store.commits.subscribe { commit in
      log.withLock { $0.append("first \(commit.version)") }
      if commit.version < 3 {
        _ = try? store.commit { try $0.insert(Owner(id: Int(commit.version) + 1)) }
        let version = try? store.version
        log.withLock { $0.append("stored \(version ?? -1)") }
      }
    }
    let second = store.commits.subscribe { commit in
      log.withLock { $0.append("second \(commit.version)") }
    }
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(
      log.withLock { $0 } == [
        "first 1", "stored 2", "second 1", "first 2", "stored 3", "second 2", "first 3", "second 3",
      ])
    first.cancel()
    second.cancel()
  }

  @Test(arguments: TestStorage.withServer)
  func `S3: a chain of commits, each made in the callback of the last, may be long`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    let length: Int64 = storage == .memory ? 10_000 : 1_000
    let token = store.commits.subscribe { commit in
      if commit.version < length {
        _ = try? store.commit { try $0.upsert(Owner(id: 1, name: "\(commit.version)")) }
      }
    }
    let commits = Recorder(store.commits)
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(commits.values.map(\.version) == Array(1...length))
    token.cancel()
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a commit names inserted, updated and deleted objects, in the order of ids`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    try store.commit { draft in
      for id in 1...4 { try draft.insert(Owner(id: id, name: "\(id)")) }
      try draft.insert(Pet(id: 1, owner: Ref(4)))
    }
    let commits = Recorder(store.commits)
    try store.commit { draft in
      try draft.insert(Owner(id: 6))
      try draft.insert(Owner(id: 5))
      try draft.update(Owner.self, 3) { $0.name = "c" }
      try draft.update(Owner.self, 2) { $0.name = "b" }
      try draft.delete(Owner.self, 4)
      try draft.delete(Owner.self, 1)
    }
    let commit = try #require(commits.values.first)
    let owners = commit.changes(of: Owner.self)
    #expect(owners.inserted.map(\.id) == [5, 6])
    #expect(owners.updated.map { [$0.old.name, $0.new.name] } == [["2", "b"], ["3", "c"]])
    #expect(owners.updated.map(\.attributes) == [["name"], ["name"]])
    #expect(owners.deleted.map(\.name) == ["1", "4"])
    let pets = commit.changes(of: Pet.self)
    #expect(pets.updated.map(\.attributes) == [["owner"]])
    #expect(pets.updated.first?.old.owner == Ref(4))
    #expect(commit.changes(of: License.self).isEmpty)
    #expect(
      commit.objectIDs == [1, 2, 3, 4, 5, 6].map { ObjectID(Owner.self, $0) } + [
        ObjectID(Pet.self, 1)
      ])
  }
}
