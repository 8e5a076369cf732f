import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `Compound keys and indexes` {
  private func notUnique(_ a: Int, _ b: Int, _ branch: Int64, _ code: String) -> StoreError {
    .notUnique(
      [ObjectID(Account.self, a), ObjectID(Account.self, b)], attributes: ["branch", "code"],
      values: [.integer(branch), .text(code)])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: two objects can't share all parts of a key, and may share some`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeBank()
    func account(_ id: Int, _ branch: Int?, _ code: String?) -> Account {
      Account(id: id, holder: Ref(1), branch: branch, code: code)
    }
    try store.expectRefusal(notUnique(1, 3, 1, "a")) { try $0.insert(account(3, 1, "a")) }
    try store.commit { draft in
      try draft.insert(account(3, 1, "c"))
      try draft.insert(account(4, 2, "a"))
      try draft.insert(account(5, 1, nil))
      try draft.insert(account(6, 1, nil))
      try draft.insert(account(7, nil, "a"))
      try draft.insert(account(8, nil, "a"))
      try draft.insert(account(9, 1, "A"))
    }
    try store.expectRefusal(notUnique(1, 5, 1, "a")) { draft in
      try draft.update(Account.self, 5) { $0.code = "a" }
    }
    try store.expectRefusal(notUnique(4, 7, 2, "a")) { draft in
      try draft.update(Account.self, 7) { $0.branch = 2 }
    }
    try store.expectRefusal(notUnique(10, 11, 3, "x")) { draft in
      try draft.insert(account(11, 3, "x"))
      try draft.insert(account(10, 3, "x"))
    }
    #expect(try store.find(Account.self, by: (\.branch, 1), (\.code, "a"))?.id == 1)
    #expect(try store.find(Account.self, by: (\.code, "a"), (\.branch, 2))?.id == 4)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: objects pass the values of a compound key round in one commit`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeBank()
    let keys: [(Int, String)] = [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    try store.commit { draft in
      try draft.deleteAll(Account.self)
      for (id, key) in keys.enumerated() {
        try draft.insert(Account(id: id, holder: Ref(1), branch: key.0, code: key.1))
      }
    }
    try withEvery("order", in: permutations(of: [0, 1, 2, 3])) { order in
      try store.commit { draft in
        for (id, key) in order.enumerated() {
          try draft.update(Account.self, id) { account in
            account.branch = keys[key].0
            account.code = keys[key].1
          }
        }
      }
      for (id, key) in order.enumerated() {
        let (branch, code) = keys[key]
        expectEqual(
          try store.find(Account.self, by: (\.branch, branch), (\.code, code))?.id, id)
        try store.expectRefusal(notUnique(id, 9, Int64(branch), code)) {
          try $0.insert(Account(id: 9, holder: Ref(1), branch: branch, code: code))
        }
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a key passes on from an object that a cascade deletes`(_ storage: TestStorage) throws {
    let store = try storage.makeBank()
    try store.commit { draft in
      try draft.insert(Card(id: 9, holder: Ref(3), number: 1))
      try draft.update(Account.self, 1) { $0.holder = Ref(3) }
      try draft.delete(Holder.self, 1)
    }
    #expect(try store.find(Card.self, by: (\.number, 1))?.id == 9)
    // The same, and the object that goes was changed to the key before.
    try store.commit { draft in
      try draft.update(Card.self, 2) { $0.number = 77 }
      try draft.insert(Card(id: 10, holder: Ref(3), number: 77))
      try draft.update(Account.self, 2) { account in
        account.holder = Ref(3)
      }
      try draft.delete(Holder.self, 2)
    }
    #expect(try store.find(Card.self, by: (\.number, 77))?.id == 10)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an index is no rule`(_ storage: TestStorage) throws {
    let store = try storage.makeBank()
    try store.commit { draft in
      for id in 100..<200 {
        try draft.insert(
          Account(id: id, holder: Ref(1), branch: id % 3, balance: id % 5))
      }
    }
    let found = try store.fetch(
      Query<Account>().filter {
        $0.branch == 1
        $0.balance == 4
      })
    #expect(found.map(\.id) == (100..<200).filter { $0 % 3 == 1 && $0 % 5 == 4 })
    #expect(
      try store.count(Query<Account>().filter { $0.balance.in(3...4) })
        == (100..<200).count { $0 % 5 >= 3 })
  }
}
