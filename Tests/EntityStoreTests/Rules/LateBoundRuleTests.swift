import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `A late-bound reference has no delete rule` {
  @Test func `S4: one that is declared with a rule traps`() async throws {
    let cascade = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      struct Wire: Entity {
        let id: Int
        var owner: Ref<Owner>?
        static let attributes = Attributes(
          .id(\Wire.id), .one("owner", \.owner, onDelete: .cascade, lateBound: true))
        static let schema = Schema(attributes, Wire.init)
      }
      _ = Wire.schema
    }
    cascade.expectMessage(
      "Wire.owner is late-bound and has the delete rule cascade; a late-bound reference waits for "
        + "its object to come back, so leave out onDelete, or lateBound")
    let deny = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Wire: Entity {
        let id: Int
        var owner: Ref<Owner>?
        static let attributes = Attributes(
          .id(\Wire.id), .one("owner", \.owner, onDelete: .deny, lateBound: true))
        static let schema = Schema(attributes, Wire.init)
      }
      _ = Wire.schema
    }
    deny.expectMessage("Wire.owner is late-bound and has the delete rule deny")
    let required = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      struct Wire: Entity {
        let id: Int
        var owner: Ref<Owner>
        static let attributes = Attributes(
          .id(\Wire.id), .one("owner", \.owner, onDelete: .cascade, lateBound: true))
        static let schema = Schema(attributes, Wire.init)
      }
      _ = Wire.schema
    }
    required.expectMessage("Wire.owner is late-bound and has the delete rule cascade")
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a required one dangles, too, when its object is deleted`(_ storage: TestStorage) throws
  {
    struct Wire: Entity {
      let id: Int
      var owner: Ref<Owner>
      static let attributes = Attributes(.id(\Wire.id), .one("owner", \.owner, lateBound: true))
      static let schema = Schema(attributes, Wire.init)
    }
    let store = try storage.makeStore(Owner.self, Wire.self)
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      try draft.insert(Wire(id: 1, owner: Ref(1)))
    }
    try store.commit { try $0.delete(Owner.self, 1) }
    #expect(try store.find(Wire.self, 1)?.owner == Ref(1))
  }
}
