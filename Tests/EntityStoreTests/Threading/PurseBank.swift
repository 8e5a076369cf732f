import EntityStore
import TestSupport
import Testing

/// Money that every commit keeps the sum of, in branches that it is looked up by.
struct Purse: Entity {
  let id: Int
  var balance: Int
  var branch: String?
  static let attributes = Attributes(
    .id(\Purse.id), .attribute("balance", \.balance), .attribute("branch", \.branch))
  static let schema = Schema(attributes, Purse.init, rules: [.index(\.branch), .index(\.balance)])
}

/// How many commits have been made, as the commits themselves have counted.
struct Ledger: Entity {
  let id: Int
  var count: Int
  static let attributes = Attributes(.id(\Ledger.id), .attribute("count", \.count))
  static let schema = Schema(attributes, Ledger.init)
}

/// A store in which nothing is gained and nothing lost.
struct PurseBank: Sendable {
  static let size = 200
  static let sum = size * 100
  static let branches = ["north", "south"]

  let store: Store

  init(_ backing: StorageKind = .inMemory) throws {
    store = try Store(backing, entities: [Purse.self, Ledger.self])
    try store.commit { draft in
      try draft.insert(Ledger(id: 0, count: 0))
      for id in 0..<Self.size {
        try draft.insert(Purse(id: id, balance: 100, branch: Self.branches[id % 2]))
      }
    }
  }

  /// Moves money between a few accounts, or between all of them, and moves accounts about.
  func transfer(_ generator: inout SeededGenerator) throws {
    let isLarge = generator.chance(0.1)
    let pairs = (0..<(isLarge ? Self.size : 2)).map { _ in
      (
        Int.random(in: 0..<Self.size, using: &generator),
        Int.random(in: 0..<Self.size, using: &generator)
      )
    }
    let amount = Int.random(in: 1...50, using: &generator)
    let swaps = generator.chance(0.3)
    try store.commit { draft in
      try draft.update(Ledger.self, 0) { $0.count += 1 }
      for (from, to) in pairs {
        try draft.update(Purse.self, from) { $0.balance -= amount }
        try draft.update(Purse.self, to) { account in
          account.balance += amount
          if swaps { account.branch = Self.branches[to % 2 == 0 ? 1 : 0] }
        }
      }
      if swaps, let (from, _) = pairs.first, var account = try draft.find(Purse.self, from) {
        // Goes and comes again, perhaps in another place.
        try draft.delete(Purse.self, from)
        account.branch = Self.branches[from % 2]
        try draft.insert(account)
      }
    }
  }

  /// Checks one version, read in every way.
  static func check(_ reader: borrowing some StoreReading & ~Copyable, _ comment: String) throws {
    let accounts = try reader.fetch(Query<Purse>())
    expectEqual(accounts.count, size, comment)
    expectEqual(accounts.reduce(0) { $0 + $1.balance }, sum, comment)
    expectEqual(try reader.count(Query<Purse>()), size, comment)
    var total = 0
    var count = 0
    for branch in branches {
      // By the index.
      let part = try reader.fetch(Query<Purse>().filter { $0.branch == branch })
      expectTrue(part.allSatisfy { $0.branch == branch }, comment)
      count += part.count
      total += part.reduce(0) { $0 + $1.balance }
    }
    expectEqual(count, size, comment)
    expectEqual(total, sum, comment)
    let poor = try reader.count(Query<Purse>().filter { $0.balance < 100 })
    let rich = try reader.count(Query<Purse>().filter { $0.balance >= 100 })
    expectEqual(poor + rich, size, comment)
    for id in [0, size / 2, size - 1] {
      expectEqual(
        try reader.find(Purse.self, id)?.balance, accounts.first { $0.id == id }?.balance, comment
      )
    }
  }
}
