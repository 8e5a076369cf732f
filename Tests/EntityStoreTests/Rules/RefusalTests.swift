import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `An error changes nothing and describes the problem` {
  private struct Case: Sendable {
    let name: String
    let error: StoreError
    let body: @Sendable (inout Draft) throws -> Void
  }

  private static let account = ObjectID(Account.self, 1)

  /// A commit for each error that a body or a rule can give, each after writes that are fine.
  private static let cases = [
    Case(name: "insert", error: .alreadyExists(account)) {
      try $0.insert(Account(id: 1, holder: Ref(2)))
    },
    Case(name: "insert many", error: .alreadyExists(account)) {
      try $0.insert(contentsOf: [Account(id: 8, holder: Ref(2)), Account(id: 1)])
    },
    Case(name: "update", error: .notFound(ObjectID(Account.self, 9))) { draft in
      try draft.update(Account.self, 9) { $0.balance = 1 }
    },
    Case(name: "delete", error: .notFound(ObjectID(Account.self, 9))) {
      try $0.delete(Account.self, 9)
    },
    Case(name: "delete twice", error: .notFound(account)) { draft in
      try draft.delete(Account.self, 1)
      try draft.delete(account)
    },
    Case(
      name: "unique",
      error: .notUnique(
        [account, ObjectID(Account.self, 2)], attributes: ["branch", "code"],
        values: [.integer(1), .text("b")])
    ) { draft in try draft.update(Account.self, 1) { $0.code = "b" } },
    Case(name: "required", error: .missingValue(account, attribute: "holder")) { draft in
      try draft.update(Account.self, 1) { $0.holder = nil }
    },
    Case(name: "check", error: .checkFailed(account, check: "the balance is not negative")) {
      draft in try draft.update(Account.self, 1) { $0.balance = -3 }
    },
    Case(
      name: "reference",
      error: .missingReference(account, attribute: "agent", target: ObjectID(Holder.self, 99))
    ) { draft in try draft.update(Account.self, 1) { $0.agent = Ref(99) } },
    Case(
      name: "deny",
      error: .deleteDenied(
        ObjectID(Holder.self, 3), referrer: ObjectID(Debt.self, 1), attribute: "holder")
    ) { try $0.delete(Holder.self, 3) },
    Case(name: "number", error: .notANumber(account, attribute: "rate")) { draft in
      try draft.update(Account.self, 1) { $0.rate = .nan }
    },
    Case(name: "entity", error: .unknownEntity("Owner")) { try $0.insert(Owner(id: 1)) },
    Case(name: "name", error: .unknownEntity("Nobody")) {
      try $0.delete(ObjectID(entityName: "Nobody", id: .integer(1)))
    },
  ]

  @Test(arguments: TestStorage.withServer)
  func `S1: after any error the store is as it was, and the next commit is fine`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeBank()
    store.historyLimit = 10
    try store.commit(named: "Owe") { try $0.insert(Debt(id: 1, holder: Ref(3))) }
    try withEvery("case", in: Self.cases.map(\.name)) { name in
      let one = try #require(Self.cases.first { $0.name == name })
      // Writes of every kind that would be fine, before it and after it.
      for isLast in [true, false] {
        try store.expectRefusal(one.error) { draft in
          try draft.insert(Holder(id: 20, name: "new"))
          try draft.update(Holder.self, 2) { $0.name = "other" }
          try draft.delete(Card.self, 2)
          try draft.upsert(Card(id: 3, holder: Ref(20), number: 30))
          try one.body(&draft)
          if !isLast { try draft.delete(Card.self, 1) }
        }
        try store.expectRefusal(one.error) {
          try store.commit(named: "Refused") { draft in
            try store.commit { try $0.insert(Holder(id: 20)) }
            try one.body(&draft)
          }
        }
      }
      let version = try store.version
      try store.commit { draft in try draft.update(Holder.self, 2) { $0.name += "+" } }
      expectEqual(try store.version, version + 1)
    }
    #expect(store.history.count == 10)
    #expect(store.undoNames == ["Owe"])
  }

  @Test func `S6: every message is a sentence with the names and values that matter`() {
    let car = ObjectID(entityName: "Car", id: .integer(7))
    let ann = ObjectID(entityName: "Person", id: .text("Ann"))
    let errors: [StoreError] = [
      .alreadyExists(car), .notFound(ann), .idChanged(car, to: ann),
      .notUnique(
        [car, ann], attributes: ["model", "year"], values: [.text("Beetle"), .integer(62)]),
      .missingValue(car, attribute: "plate"), .checkFailed(car, check: "the year is past"),
      .missingReference(car, attribute: "owner", target: ann),
      .deleteDenied(ann, referrer: car, attribute: "owner"),
      .inexactID(car, again: .text("8")),
      .changedSince(car, attribute: "year", expected: .integer(61), found: .null),
      .notANumber(car, attribute: "price"),
      .unreadable(
        ObjectID(entityName: "Car", id: .integer(1)), attribute: "isSold", found: .integer(7)),
      .unknownEntity("Boat"), .overflow(entity: "Car"), .noNextID(entity: "Car"),
      .tooManyVersions(limit: 12),
      .snapshotsUnsupported, .rowNumbersUnsupported,
      .notIndexable(entity: "Car", part: "the condition Car.model contains x"),
      .refusedSQL(
        "SELECT 1; SELECT 2", reason: "it isn't one statement; give each to a call of its own"),
      .storage(StorageFault(.full, "The disk is full; make room")),
      .outcomeUnknown(version: 41),
    ]
    for error in errors {
      let text = "\(error)"
      expectSentence(text)
      // What is to be done comes after what is wrong.
      let advice = text.split(separator: ";", maxSplits: 1).dropFirst().first ?? ""
      #expect(advice.split(separator: " ").count > 1, "\(text) gives no advice")
      for word in Self.words(of: error) {
        #expect(text.contains(word), "\(text) names no \(word)")
      }
    }
    #expect(Set(errors.map { Self.label($0) }).count == errors.count)
  }

  @Test func `S6: a message about thousands of objects names three of them`() {
    func text(_ count: Int, _ value: StoredValue) -> String {
      let objects = (0..<count).map { ObjectID(entityName: "Car", id: .integer(Int64($0))) }
      return "\(StoreError.notUnique(objects, attributes: ["plate"], values: [value]))"
    }
    let advice =
      "; give all but one another value of plate, or use upsert(_:by:) to change the one that is there"
    #expect(text(2, .text("AB")) == #"Car(0) and Car(1) have the same plate, "AB""# + advice)
    #expect(text(3, .null) == "Car(0), Car(1) and Car(2) have the same plate, nil" + advice)
    #expect(
      text(4, .integer(3)) == "Car(0), Car(1), Car(2) and Car(3) have the same plate, 3" + advice)
    #expect(
      text(5000, .text(""))
        == #"Car(0), Car(1), Car(2) and 4997 others have the same plate, """# + advice)
  }

  @Test func `S6: text stands in quotes, so that its end is visible`() {
    let car = ObjectID(entityName: "Car", id: .integer(7))
    #expect(
      "\(StoreError.changedSince(car, attribute: "model", expected: .text(""), found: .text("a b")))"
        == #"model of Car(7) is "a b" and not "": it has changed since; decide which value holds and "#
        + "commit it, or forget what was to be undone with clearHistory()")
    #expect(
      "\(StoreError.unreadable(car, attribute: "fuel", found: .text("")))"
        == #"fuel of the stored Car(7) is "", which is not of its type; open the store with the schema "#
        + "that wrote it, or correct the value in a migration or with the tool that wrote it")
    #expect(
      "\(StoredValue.Mismatch(.text(""), type: Int.self))"
        == #""" is not a stored Int; read it as the type that it was stored as"#)
  }

  private static func label(_ error: StoreError) -> String {
    Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }

  /// What a message must name.
  ///
  /// A case that is added to the errors doesn't compile here before it has its words.
  private static func words(of error: StoreError) -> [String] {
    switch error {
    case .alreadyExists(let object), .notFound(let object): ["\(object)"]
    case .idChanged(let object, let new): ["\(object)", "\(new)"]
    case .notUnique(let objects, let attributes, let values):
      objects.map(\.description) + attributes + values.map(\.description)
    case .missingValue(let object, let attribute): ["\(object)", attribute, "nil"]
    case .inexactID(let object, let again): ["\(object)", "\(again ?? .null)", "stored"]
    case .checkFailed(let object, let check): ["\(object)", check]
    case .missingReference(let object, let attribute, let target):
      ["\(object)", attribute, "\(target)"]
    case .deleteDenied(let object, let referrer, let attribute):
      ["\(object)", "\(referrer)", attribute]
    case .changedSince(let object, let attribute, let expected, let found):
      ["\(object)", attribute, "\(expected)", "\(found)"]
    case .notANumber(let object, let attribute): ["\(object)", attribute, "NaN"]
    case .unreadable(let object, let attribute, let found): ["\(object)", attribute, "\(found)"]
    case .unknownEntity(let name), .overflow(let name), .noNextID(let name): [name]
    case .tooManyVersions(let limit): ["\(limit)", "heldVersionLimit"]
    case .snapshotsUnsupported: ["file", "read"]
    case .rowNumbersUnsupported: ["storage", "FetchedObjectsModel"]
    case .notIndexable(let entity, let part): [entity, part, "FetchedObjectsModel"]
    case .refusedSQL(let statement, let reason): [statement, reason]
    case .storage(let fault): [fault.message]
    case .outcomeUnknown(let version, _): ["\(version)", "open"]
    }
  }
}
