import EntityStore
import Fixtures
import TestSupport
import Testing

/// An object under a rule of each kind, stated in another order than they are judged in.
private struct Voucher: Entity {
  let id: Int
  var page: Int?
  var line: Int?
  var word: String?
  var owner: Ref<Owner>?
  var heir: Ref<Owner>?
  static let attributes = Attributes(
    .id(\Voucher.id), .attribute("page", \.page), .attribute("line", \.line),
    .attribute("word", \.word), .one("owner", \.owner), .one("heir", \.heir))
  static let schema = Schema(
    attributes, Voucher.init,
    rules: [
      .unique(\.word), .unique(\.line), .check("the page is even") { ($0.page ?? 0) % 2 == 0 },
      .check("the page is small") { ($0.page ?? 0) < 10 }, .required(\.line), .required(\.page),
    ])
}

@Suite struct `The first of several broken rules is reported` {
  /// Objects that each break something, and the error if they are the first.
  private static let wrong: [(voucher: Voucher, error: StoreError)] = [
    (Voucher(id: 1), .missingValue(name(1), attribute: "page")),
    (Voucher(id: 2, page: 11), .missingValue(name(2), attribute: "line")),
    (
      Voucher(id: 3, page: 11, line: 1, owner: Ref(9)),
      .checkFailed(name(3), check: "the page is even")
    ),
    (
      Voucher(id: 4, page: 12, line: 1, owner: Ref(9)),
      .checkFailed(name(4), check: "the page is small")
    ),
    (
      Voucher(id: 5, page: 2, line: 1, word: "a", owner: Ref(9), heir: Ref(8)),
      .missingReference(name(5), attribute: "owner", target: ObjectID(Owner.self, 9))
    ),
    (
      Voucher(id: 6, page: 2, line: 1, word: "a", heir: Ref(8)),
      .missingReference(name(6), attribute: "heir", target: ObjectID(Owner.self, 8))
    ),
    (
      Voucher(id: 7, page: 2, line: 50, word: "w"),
      .notUnique([name(7), name(100)], attributes: ["word"], values: [.text("w")])
    ),
    (
      Voucher(id: 8, page: 2, line: 50, word: "b"),
      .notUnique([name(8), name(100)], attributes: ["line"], values: [.integer(50)])
    ),
  ]

  private static func name(_ id: Int) -> ObjectID { ObjectID(Voucher.self, id) }

  private func makeStore(_ storage: TestStorage, isFirst: Bool) throws -> Store {
    let store =
      try isFirst
      ? storage.makeStore(Voucher.self, Seat.self, Owner.self)
      : storage.makeStore(Seat.self, Owner.self, Voucher.self)
    try store.commit { draft in
      try draft.insert(Seat(id: 1, code: "s"))
      try draft.insert(Voucher(id: 100, page: 2, line: 50, word: "w"))
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: by id, and by rule, whatever the order of the writes`(_ storage: TestStorage) throws {
    let store = try makeStore(storage, isFirst: true)
    for first in Self.wrong.indices {
      let vouchers = Self.wrong[first...].map(\.voucher)
      for seed in seeds(10) {
        var generator = SeededGenerator(seed: seed)
        let shuffled = vouchers.shuffled(using: &generator)
        try store.expectRefusal(Self.wrong[first].error) { draft in
          for voucher in shuffled { try draft.insert(voucher) }
        }
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: by the store's list of entities, whichever is written first`(_ storage: TestStorage)
    throws
  {
    let seats = StoreError.notUnique(
      [ObjectID(Seat.self, 1), ObjectID(Seat.self, 2)], attributes: ["code"], values: [.text("s")])
    for isFirst in [true, false] {
      let store = try makeStore(storage, isFirst: isFirst)
      for writesSeat in [true, false] {
        try store.expectRefusal(isFirst ? Self.wrong[0].error : seats) { draft in
          if writesSeat { try draft.insert(Seat(id: 2, code: "s")) }
          try draft.insert(Voucher(id: 1))
          if !writesSeat { try draft.insert(Seat(id: 2, code: "s")) }
        }
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an object that is denied, too, after cascades over what was written meanwhile`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(Owner(id: 1)) }
    for seed in seeds(20) {
      var generator = SeededGenerator(seed: seed)
      let ids = Array(10..<40).shuffled(using: &generator)
      try store.expectRefusal(
        .deleteDenied(
          ObjectID(Passport.self, 10), referrer: ObjectID(Visa.self, 10), attribute: "passport")
      ) { draft in
        for id in ids {
          try draft.insert(Passport(id: id, owner: Ref(1)))
          try draft.insert(Visa(id: id, passport: Ref(id)))
        }
        try draft.delete(Owner.self, 1)
      }
    }
    // An owner comes before a passport, since its entity does.
    try store.commit { draft in
      try draft.insert(Owner(id: 2))
      try draft.insert(Passport(id: 1, owner: Ref(1)))
      try draft.insert(Visa(id: 1, passport: Ref(1)))
      try draft.insert(License(id: 1, owner: Ref(2)))
    }
    try store.expectRefusal(
      .deleteDenied(
        ObjectID(Owner.self, 2), referrer: ObjectID(License.self, 1), attribute: "owner")
    ) { draft in
      try draft.delete(Passport.self, 1)
      try draft.delete(Owner.self, 2)
    }
  }
}
