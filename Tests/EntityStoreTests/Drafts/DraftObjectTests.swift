import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `A draft takes whole objects` {
  private struct Berth: Entity, Equatable {
    struct ID: CompositeID {
      var ship: String
      var number: Int
    }

    let id: ID
    var guest: String?
    static let attributes = Attributes(
      .id(\Berth.id, ID.init, .part("ship", \.ship), .part("number", \.number)),
      .attribute("guest", \.guest))
    static let schema = Schema(attributes, Berth.init)
  }

  private func makeBerths(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(Berth.self, Owner.self, Pet.self, Measure.self)
    try store.commit { draft in
      for number in 1...4 {
        try draft.insert(Berth(id: Berth.ID(ship: "Argo", number: number), guest: "g\(number)"))
      }
      try draft.insert(Owner(id: 1, name: "Ann"))
      try draft.insert(Pet(id: 1, owner: Ref(1)))
      try draft.insert(Measure(id: 1, value: 1))
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: an update by an object puts it in the place of the one with its id`(
    _ storage: TestStorage
  ) throws {
    let store = try makeBerths(storage)
    let commits = Recorder(store.commits)
    let id = Berth.ID(ship: "Argo", number: 2)
    try store.commit { draft in
      guard var berth = try draft.find(Berth.self, id) else { return }
      berth.guest = "Jason"
      try draft.update(berth)
      #expect(try draft.find(Berth.self, id) == berth)
      try draft.update(contentsOf: [1, 3].map { Berth(id: Berth.ID(ship: "Argo", number: $0)) })
    }
    #expect(try store.all(Berth.self).map(\.guest) == [nil, "Jason", nil, "g4"])
    let changes = try #require(commits.values.first).changes(of: Berth.self)
    #expect(changes.updated.map(\.attributes) == [["guest"], ["guest"], ["guest"]])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a delete by an object deletes the one with its id, and what follows`(
    _ storage: TestStorage
  ) throws {
    let store = try makeBerths(storage)
    try store.commit { draft in
      // What the copy says otherwise doesn't matter.
      try draft.delete(Berth(id: Berth.ID(ship: "Argo", number: 2), guest: "nobody"))
      try draft.delete(contentsOf: try draft.fetch(Query<Berth>().filter { $0.guest == "g4" }))
      try draft.delete(Owner(id: 1))
    }
    #expect(try store.all(Berth.self).map(\.guest) == ["g1", "g3"])
    #expect(try store.find(Pet.self, 1)?.owner == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `S6: what isn't in the store is neither updated nor deleted, nor any of many`(
    _ storage: TestStorage
  ) throws {
    let store = try makeBerths(storage)
    let berths = try store.all(Berth.self)
    let missing = Berth(id: Berth.ID(ship: "Argo", number: 5), guest: "x")
    let error = StoreError.notFound(ObjectID(Berth.self, missing.id))
    try store.commit { draft in
      #expect(throws: error) { try draft.update(missing) }
      #expect(throws: error) { try draft.delete(missing) }
      let all = berths.map { Berth(id: $0.id, guest: "changed") }
      #expect(throws: error) { try draft.update(contentsOf: all + [missing]) }
      #expect(throws: error) { try draft.delete(contentsOf: all + [missing]) }
      #expect(throws: StoreError.notFound(ObjectID(Berth.self, all[0].id))) {
        try draft.delete(contentsOf: all + [all[0]])
      }
      #expect(throws: StoreError.notANumber(ObjectID(Measure.self, 1), attribute: "value")) {
        try draft.update(Measure(id: 1, value: .nan))
      }
      let after = try draft.fetch(Query<Berth>())
      #expect(after == berths)
    }
    #expect(try store.all(Berth.self) == berths)
  }
}
