import EntityStore
import Fixtures
import Locking
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Required values and checks are validated once, on the net change` {
  private static let holderMissing = StoreError.missingValue(
    ObjectID(Account.self, 1), attribute: "holder")
  private static let overdrawn = StoreError.checkFailed(
    ObjectID(Account.self, 1), check: "the balance is not negative")

  @Test(arguments: TestStorage.withServer)
  func `S4: a required value that is nil when the commit ends is refused`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeBank()
    try store.expectRefusal(
      .missingValue(ObjectID(Account.self, 9), attribute: "holder")
    ) { draft in
      try draft.update(Holder.self, 1) { $0.name = "new" }
      try draft.insert(Account(id: 9))
    }
    try store.expectRefusal(Self.holderMissing) { draft in
      try draft.insert(Holder(id: 9))
      try draft.update(Account.self, 1) { $0.holder = nil }
    }
    try store.expectRefusal(Self.holderMissing) { try $0.upsert(Account(id: 1, holder: nil)) }
    try store.expectRefusal(.missingValue(ObjectID(Card.self, 1), attribute: "number")) { draft in
      try draft.update(Card.self, 1) { $0.number = nil }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: rules may be broken until the commit ends`(_ storage: TestStorage) throws {
    let store = try storage.makeBank()
    let before = try store.dump()
    try store.commit { draft in
      try draft.update(Account.self, 1) { account in
        account.holder = nil
        account.balance = -1
      }
      #expect(try draft.find(Account.self, 1)?.balance == -1)
      #expect(try draft.fetch(Query<Account>().filter { $0.balance < 0 }).map(\.id) == [1])
      try draft.insert(Account(id: 3, balance: -5))
      try draft.delete(Account.self, 3)
      try draft.update(Account.self, 1) { account in
        account.holder = Ref(1)
        account.balance = 10
      }
    }
    #expect(try store.dump() == before)
    try store.commit { draft in
      try store.commit { try $0.insert(Account(id: 3, balance: -5)) }
      try draft.update(Account.self, 3) { account in
        account.holder = Ref(9)
        account.balance = 5
      }
      try draft.insert(Holder(id: 9))
    }
    #expect(try store.find(Account.self, 3)?.holder == Ref(9))
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a check that isn't met when the commit ends is refused by its name`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeBank()
    try store.expectRefusal(Self.overdrawn) { draft in
      try draft.delete(Card.self, 1)
      try draft.update(Account.self, 1) { $0.balance = -1 }
    }
    try store.expectRefusal(
      .checkFailed(ObjectID(Account.self, 1), check: "rich accounts have an agent")
    ) { draft in try draft.update(Account.self, 1) { $0.balance = 1000 } }
    try store.expectRefusal(
      .checkFailed(ObjectID(Account.self, 7), check: "the balance is not negative")
    ) { try $0.insert(Account(id: 7, holder: Ref(1), balance: .min)) }
    // Two values that are each refused with what stands beside them, and not together.
    try store.commit { draft in
      try draft.update(Account.self, 1) { $0.balance = 1000 }
      try draft.update(Account.self, 1) { $0.agent = Ref(2) }
    }
    #expect(try store.find(Account.self, 1)?.balance == 1000)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an object that a delete rule changes is judged too, and nothing has happened`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeBank()
    // The holder goes, the card goes with it, and the account would be without one.
    try store.expectRefusal(Self.holderMissing) { draft in
      try draft.insert(Holder(id: 9))
      try draft.delete(Holder.self, 1)
    }
    // The agent goes, and the account is too rich to be without.
    try store.expectRefusal(
      .checkFailed(ObjectID(Account.self, 2), check: "rich accounts have an agent")
    ) { try $0.delete(Holder.self, 3) }
    try store.commit { try $0.insert(Debt(id: 1, holder: Ref(1))) }
    try store.expectRefusal(
      .deleteDenied(
        ObjectID(Holder.self, 1), referrer: ObjectID(Debt.self, 1), attribute: "holder")
    ) { try $0.delete(Holder.self, 1) }
    // With what the rule asks for, it goes.
    try store.commit { draft in
      try draft.delete(Holder.self, 3)
      try draft.update(Account.self, 2) { $0.balance = 999 }
    }
    try store.commit { draft in
      try draft.delete(Holder.self, 1)
      try draft.update(Account.self, 1) { $0.holder = Ref(2) }
      try draft.delete(Debt.self, 1)
    }
    #expect(try store.all(Account.self).map(\.agent) == [nil, nil])
    #expect(try store.all(Card.self).map(\.id) == [2])
  }

  @Test func `S4: a check is asked about what comes or changes on net, once`() throws {
    let store = try TestStorage.memory.makeBank()
    try store.commit { draft in
      for id in 900..<910 { try draft.insert(Account(id: id, holder: Ref(1))) }
    }
    Account.checked.withLock { $0 = [] }
    try store.commit { draft in
      try draft.update(Account.self, 900) { $0.balance = 1 }
      try draft.update(Account.self, 900) { $0.balance = 2 }
      try draft.update(Account.self, 901) { $0.balance = 1 }
      try draft.update(Account.self, 901) { $0.balance = 0 }
      try draft.delete(Account.self, 902)
      try draft.insert(Account(id: 950, holder: Ref(1)))
      try draft.insert(Account(id: 951, holder: Ref(1), balance: -1))
      try draft.delete(Account.self, 951)
      _ = try draft.fetch(Query<Account>())
    }
    #expect(Account.checked.withLock { $0.sorted() } == [900, 950])
  }

  @Test func `S4: an object that was stored before a rule is judged when it changes`() throws {
    struct Loose: Entity {
      let id: Int
      var balance: Int
      var code: String?
      static let attributes = Attributes(
        .id(\Loose.id), .attribute("balance", \.balance), .attribute("code", \.code))
      static let schema = Schema(attributes, Loose.init)
      static var entityName: String { "Balance" }
    }
    struct Strict: Entity {
      let id: Int
      var balance: Int
      var code: String?
      static let attributes = Attributes(
        .id(\Strict.id), .attribute("balance", \.balance), .attribute("code", \.code))
      static let schema = Schema(
        attributes, Strict.init,
        rules: [.required(\.code), .check("the balance is positive") { $0.balance > 0 }])
      static var entityName: String { "Balance" }
    }
    let path = temporaryPath()
    do {
      let store = try Store(.sqlite(path: path), entities: [Loose.self])
      try store.commit { draft in
        try draft.insert(Loose(id: 1, balance: -1, code: nil))
        try draft.insert(Loose(id: 2, balance: 1, code: "a"))
      }
    }
    let store = try Store(.sqlite(path: path), entities: [Strict.self])
    try store.commit { draft in try draft.update(Strict.self, 2) { $0.balance = 2 } }
    try store.expectRefusal(.missingValue(ObjectID(Strict.self, 1), attribute: "code")) { draft in
      try draft.update(Strict.self, 1) { $0.balance = 3 }
    }
    try store.expectRefusal(
      .checkFailed(ObjectID(Strict.self, 1), check: "the balance is positive")
    ) { draft in try draft.update(Strict.self, 1) { $0.code = "b" } }
    try store.commit { draft in
      try draft.update(Strict.self, 1) { object in
        object.code = "b"
        object.balance = 3
      }
    }
    try store.commit { try $0.delete(Strict.self, 1) }
  }
}
