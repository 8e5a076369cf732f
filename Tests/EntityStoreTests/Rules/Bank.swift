import EntityStore
import Fixtures
import Locking

/// Someone with accounts.
struct Holder: Entity {
  let id: Int
  var name = ""
  static let attributes = Attributes(.id(\Holder.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Holder.init)
}

extension Holder {
  var accounts: Many<Holder, Account> { Many(\.holder) }
}

/// An account under every kind of rule.
struct Account: Entity {
  let id: Int
  var holder: Ref<Holder>?
  var agent: Ref<Holder>?
  var branch: Int?
  var code: String?
  var balance = 0
  var rate: Double?
  static let attributes = Attributes(
    .id(\Account.id), .one("holder", \.holder, inverse: \.accounts, onDelete: .nullify),
    .one("agent", \.agent, onDelete: .nullify), .attribute("branch", \.branch),
    .attribute("code", \.code), .attribute("balance", \.balance), .attribute("rate", \.rate))
  static let schema = Schema(
    attributes, Account.init,
    rules: [
      .required(\.holder), .unique(\.branch, \.code), .index(\.balance),
      .index(\.branch, \.balance),
      .check("the balance is not negative", balanceIsFine),
      .check("rich accounts have an agent") { $0.balance < 1000 || $0.agent != nil },
    ])

  /// The ids of the accounts that a check has been asked about.
  static let checked = Locked<[Int]>([])

  private static let balanceIsFine: @Sendable (Account) -> Bool = { account in
    if account.id >= 900 { checked.withLock { $0.append(account.id) } }
    return account.balance >= 0
  }

  var name: ObjectID { ObjectID(self) }
}

/// Goes with the holder.
struct Card: Entity {
  let id: Int
  var holder: Ref<Holder>
  var number: Int?
  static let attributes = Attributes(
    .id(\Card.id), .one("holder", \.holder, onDelete: .cascade), .attribute("number", \.number))
  static let schema = Schema(
    attributes, Card.init, rules: [.unique(\.number), .required(\.number)])
}

/// Keeps the holder.
struct Debt: Entity {
  let id: Int
  var holder: Ref<Holder>?
  static let attributes = Attributes(.id(\Debt.id), .one("holder", \.holder, onDelete: .deny))
  static let schema = Schema(attributes, Debt.init)
}

extension TestStorage {
  /// Holders 1 to 3, each with a card, and an account of 1 and of 2.
  func makeBank() throws -> Store {
    let store = try makeStore(Holder.self, Account.self, Card.self, Debt.self)
    try store.commit { draft in
      for id in 1...3 {
        try draft.insert(Holder(id: id, name: "h\(id)"))
        try draft.insert(Card(id: id, holder: Ref(id), number: id))
      }
      try draft.insert(Account(id: 1, holder: Ref(1), branch: 1, code: "a", balance: 10))
      try draft.insert(
        Account(id: 2, holder: Ref(2), agent: Ref(3), branch: 1, code: "b", balance: 5000))
    }
    return store
  }
}
