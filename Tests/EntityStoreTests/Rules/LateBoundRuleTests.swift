import EntityStore
import Fixtures
import Testing

@Suite struct `A late-bound reference has no delete rule` {
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
