@_spi(Storage) @testable import EntityStore
import Fixtures
import Locking
import Testing

@Suite struct `Rules of many objects` {
  private static let count = 1000

  private func open(_ storage: FarStorage) throws -> Store {
    try Store(
      .custom { storage },
      entities: [
        Seat.self, Owner.self, Pet.self, License.self, Passport.self, Visa.self, Stamp.self,
      ])
  }

  /// Returns the number of requests that `body` makes.
  private func countTrips(to storage: FarStorage, _ body: () throws -> Void) rethrows -> Int {
    let start = storage.trips.load()
    try body()
    return storage.trips.load() - start
  }

  @Test(arguments: [true, false])
  func `S4: unique keys of many objects are looked up together`(_ readsAhead: Bool) throws {
    let storage = FarStorage(readsAhead: readsAhead)
    let store = try open(storage)
    // The body makes a request for each object.
    let most = Self.count + 20
    let insertion = try countTrips(to: storage) {
      try store.commit { draft in
        try draft.insert(contentsOf: (0..<Self.count).map { Seat(id: $0, code: "\($0)") })
      }
    }
    #expect(!readsAhead || insertion < most, "\(insertion)")
    // Each seat gets the code of the next one.
    let rotation = try countTrips(to: storage) {
      try store.commit { draft in
        for id in 0..<Self.count {
          try draft.update(Seat.self, id) { $0.code = "\((id + 1) % Self.count)" }
        }
      }
    }
    #expect(!readsAhead || rotation < most, "\(rotation)")
    let seats = (0..<Self.count).map { Seat(id: 5000 + $0, code: $0 == 0 ? "6" : "new \($0)") }
    let taken = StoreError.notUnique(
      [ObjectID(Seat.self, 5), ObjectID(Seat.self, 5000)], attributes: ["code"],
      values: [.text("6")])
    try store.expectRefusal(taken) { try $0.insert(contentsOf: seats) }
    try store.commit { draft in
      try draft.update(Seat.self, 5) { $0.code = nil }
      try draft.insert(contentsOf: seats)
    }
    #expect(try store.find(Seat.self, by: (\.code, "6"))?.id == 5000)
    #expect(try store.count(Query<Seat>()) == 2 * Self.count)
  }

  @Test(arguments: [true, false])
  func `S4: objects that refer to many deleted ones are read together`(_ readsAhead: Bool) throws {
    let storage = FarStorage(readsAhead: readsAhead)
    let store = try open(storage)
    try store.commit { draft in
      try draft.insert(Owner(id: 5000))
      for id in 0..<Self.count {
        try draft.insert(Owner(id: id))
        try draft.insert(Passport(id: id, owner: Ref(id)))
        try draft.insert(Stamp(id: id, passport: Ref(id)))
        for pet in [2 * id, 2 * id + 1] { try draft.insert(Pet(id: pet, owner: Ref(id))) }
      }
    }
    let trips = try countTrips(to: storage) {
      try store.commit { draft in
        try draft.update(Pet.self, 0) { $0.owner = Ref(5000) }
        try draft.update(Passport.self, 7) { $0.owner = Ref(5000) }
        try draft.delete(Pet.self, 1)
        try draft.insert(Pet(id: 9000, owner: Ref(3)))
        try draft.insert(Passport(id: 9001, owner: Ref(4)))
        try draft.insert(Stamp(id: 9002, passport: Ref(9001)))
        try draft.deleteAll(Query<Owner>().filter { $0.id < Self.count })
      }
    }
    #expect(!readsAhead || trips < 60, "\(trips)")
    #expect(try store.all(Owner.self).map(\.id) == [5000])
    #expect(try store.all(Passport.self).map(\.id) == [7])
    #expect(try store.all(Stamp.self).map(\.id) == [7])
    let pets = try store.all(Pet.self)
    #expect(pets.map(\.id) == (0..<2 * Self.count).filter { $0 != 1 } + [9000])
    #expect(pets.compactMap(\.owner) == [Ref(5000)])
  }

  @Test(arguments: [true, false])
  func `S4: the first of many deletions that is denied is found in a few requests`(
    _ readsAhead: Bool
  ) throws {
    let storage = FarStorage(readsAhead: readsAhead)
    let store = try open(storage)
    try store.commit { draft in
      for id in 0..<Self.count { try draft.insert(Owner(id: id)) }
      for (id, owner) in [900, 700, 700].enumerated() {
        try draft.insert(License(id: id, owner: Ref(owner)))
      }
    }
    func denied(_ owner: Int, by license: Int) -> StoreError {
      .deleteDenied(
        ObjectID(Owner.self, owner), referrer: ObjectID(License.self, license), attribute: "owner")
    }
    let trips = countTrips(to: storage) {
      #expect(throws: denied(700, by: 1)) {
        try store.commit { try $0.deleteAll(Owner.self) }
      }
    }
    #expect(!readsAhead || trips < 60, "\(trips)")
    try store.expectRefusal(denied(3, by: 4)) { draft in
      try draft.insert(License(id: 4, owner: Ref(3)))
      try draft.deleteAll(Owner.self)
    }
    try store.expectRefusal(denied(700, by: 2)) { draft in
      try draft.delete(License.self, 1)
      try draft.deleteAll(Owner.self)
    }
    try store.commit { draft in
      try draft.deleteAll(License.self)
      try draft.deleteAll(Owner.self)
    }
    #expect(try store.count(Query<Owner>()) == 0)
  }

  @Test(arguments: TestStorage.withServer + [.far])
  func `S4: delete rules reach many objects that refer by all parts`(_ storage: TestStorage) throws
  {
    let store = try storage.makeFerry()
    let numbers = 1...40
    try store.commit { draft in
      for (place, deck) in ["A", "B"].enumerated() {
        for number in numbers {
          let cabin = Ref<Cabin>(.init(deck: deck, number: number))
          let hook = 100 * place + number
          try draft.insert(Cabin(id: cabin.id))
          try draft.insert(Guest(id: hook, cabin: cabin))
          try draft.insert(CabinKey(id: .init(ring: 1, hook: hook), cabin: cabin))
        }
      }
      for number in numbers {
        let b = Cabin.ID(deck: "B", number: number)
        try draft.update(Cabin.self, b) { $0.next = Ref(.init(deck: "A", number: number)) }
        try draft.insert(
          Repair(id: number, cabin: Ref(b), key: Ref(.init(ring: 1, hook: number))))
      }
    }
    let deckA = Query<Cabin>().filter { $0.id.deck == "A" }
    try store.expectRefusal(
      .deleteDenied(
        ObjectID(Cabin.self, .init(deck: "A", number: 30)),
        referrer: ObjectID(Repair.self, 99), attribute: "cabin")
    ) { draft in
      try draft.insert(Repair(id: 99, cabin: Ref(.init(deck: "A", number: 30)), key: nil))
      try draft.deleteAll(deckA)
    }
    try store.commit { draft in
      try draft.update(Guest.self, 2) { $0.cabin = Ref(.init(deck: "B", number: 2)) }
      try draft.deleteAll(deckA)
    }
    #expect(try store.all(Cabin.self).map(\.id.deck) == numbers.map { _ in "B" })
    #expect(try store.all(Cabin.self).allSatisfy { $0.next == nil })
    #expect(try store.all(CabinKey.self).map(\.id.hook) == numbers.map { 100 + $0 })
    #expect(try store.all(Repair.self).isEmpty)
    let housed = try store.all(Guest.self).filter { $0.cabin != nil }
    #expect(housed.map(\.id) == [2] + numbers.map { 100 + $0 })
  }

  @Test func `S4: an object that reads another key than was asked for leaves the keys unknown`() {
    let entity = Seat.schema.entity
    let code = entity.column(\Seat.code)
    let table = TableDraft(entity)
    let rows = [EntityRow(Seat(id: 1, code: "a"))]
    func ids(_ text: String) -> [StoredValue]? {
      table.knownIDs(where: [code], equal: [.text(text)])
    }
    table.note(rows, among: [.text("A"), .text("b")], at: code)
    #expect(ids("A") == nil && ids("b") == nil)
    #expect(table.knownRow(.integer(1)) == nil)
    table.note(rows, among: [.text("a"), .text("b")], at: code)
    #expect(ids("a") == [.integer(1)])
    #expect(ids("b") == [])
    #expect(table.knownRow(.integer(1)) != nil)
  }

  @Test func `S4: all that was read together is kept as long as the draft`() {
    let entity = Seat.schema.entity
    let table = TableDraft(entity)
    weak var first: RowBox?
    weak var second: RowBox?
    do {
      let row = EntityRow(Seat(id: 1, code: "a", row: 2))
      first = row.box
      table.note([row], among: [.text("a")], at: entity.column(\Seat.code))
    }
    do {
      let row = EntityRow(Seat(id: 1, code: "a", row: 2))
      second = row.box
      table.note([row], among: [.integer(2)], at: entity.column(\Seat.row))
    }
    #expect(first != nil)
    #expect(second != nil)
    withExtendedLifetime(table) {}
  }
}
