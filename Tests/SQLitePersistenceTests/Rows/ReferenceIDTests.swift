import EntityStore
import FetchedObjects
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

private struct Owner: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Owner.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Owner.init)
}

/// One whose id says whose it is.
private struct Profile: Entity {
  let id: Ref<Owner>
  var text: String
  static let attributes = Attributes(.id(\Profile.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Profile.init)
}

private struct Visit: Entity {
  let id: Int
  var profile: Ref<Profile>?
  static let attributes = Attributes(.id(\Visit.id), .one("profile", \.profile))
  static let schema = Schema(attributes, Visit.init)
}

private struct Room: Entity {
  struct ID: CompositeID {
    var deck: String
    var number: Int
  }
  let id: ID
  var beds: Int
  static let attributes = Attributes(
    .id(\Room.id, ID.init, .part("deck", \.deck), .part("number", \.number)),
    .attribute("beds", \.beds))
  static let schema = Schema(attributes, Room.init)
}

private struct Lodger: Entity {
  let id: Int
  var room: Ref<Room>?
  static let attributes = Attributes(.id(\Lodger.id), .one("room", \.room, lateBound: true))
  static let schema = Schema(attributes, Lodger.init)
}

private struct Parcel: Entity {
  let id: Int
  var lodger: Ref<Lodger>?
  static let attributes = Attributes(.id(\Parcel.id), .one("lodger", \.lodger))
  static let schema = Schema(attributes, Parcel.init)
}

@Suite struct `References as ids, and references of several parts` {
  @Test(arguments: TestStorage.allCases)
  func `S4: an id may be a reference, which is read, found and followed as one of its value`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Owner.self, Profile.self, Visit.self)
    try store.commit { draft in
      for id in 1...3 {
        try draft.insert(Owner(id: id, name: "n\(id)"))
        try draft.insert(Profile(id: Ref(id), text: "t\(id)"))
        try draft.insert(Visit(id: id, profile: Ref(Ref(4 - id))))
      }
    }
    #expect(try store.find(Profile.self, Ref(2))?.text == "t2")
    let visits = Query<Visit>().filter { $0.profile.text == "t3" }.including { $0.profile.text }
    #expect(try store.fetch(visits).map(\.id) == [1])
    let model = try FetchedObjectsModel(visits, in: store)
    try store.commit { try $0.update(Profile.self, Ref(2)) { $0.text = "t3" } }
    #expect(model.fetchedObjects.map(\.id) == [1, 2])
    let texts = try FetchedObjectsModel(
      Query<Visit>().aggregating { $0.profile.text }, in: store)
    #expect(texts.snapshot.max { $0.profile.text } == "t3")
    try store.commit { try $0.delete(Visit.self, 1) }
    try store.commit { try $0.delete(Profile.self, Ref(3)) }
    #expect(try store.fetch(Query<Profile>()).map(\.id.id) == [1, 2])
  }

  @Test(arguments: ["room_deck", "room_number"])
  func
    `S7: a reference of which another program has left out a part is nil, however it is asked for`(
      _ part: String
    ) throws
  {
    let path = temporaryPath()
    let entities: [any Entity.Type] = [Room.self, Lodger.self, Parcel.self]
    let room = Room.ID(deck: "a", number: 7)
    func open() throws -> Store {
      try Store(.sqlite(path: path, watching: .none), entities: entities)
    }
    do {
      let store = try open()
      try store.commit { draft in
        try draft.insert(Room(id: room, beds: 2))
        for id in 1...2 {
          try draft.insert(Lodger(id: id, room: Ref(room)))
          try draft.insert(Parcel(id: id, lodger: Ref(id)))
        }
      }
      try RawDatabase(path).rows("UPDATE Lodger SET \(part) = NULL WHERE id = 1")
    }
    let file = try open()
    let memory = try Store(.inMemory, entities: entities)
    try memory.commit { draft in
      try draft.insert(Room(id: room, beds: 2))
      try draft.insert(Lodger(id: 1, room: nil))
      try draft.insert(Lodger(id: 2, room: Ref(room)))
      for id in 1...2 { try draft.insert(Parcel(id: id, lodger: Ref(id))) }
    }
    for store in [memory, file] {
      #expect(try store.find(Lodger.self, 1)?.room == nil)
      func ids(_ query: Query<Parcel>) throws -> [Int] { try store.fetch(query).map(\.id) }
      #expect(try store.fetch(Query<Lodger>().filter { $0.room.isNil }).map(\.id) == [1])
      #expect(try store.fetch(Query<Lodger>().filter { $0.room.id.deck == "a" }).map(\.id) == [2])
      #expect(try store.fetch(Query<Lodger>().filter { $0.room.id.number == 7 }).map(\.id) == [2])
      #expect(try store.fetch(Query<Lodger>().filter { $0.room.id == room }).map(\.id) == [2])
      #expect(try ids(Query<Parcel>().filter { $0.lodger.room.isNil }) == [1])
      #expect(try ids(Query<Parcel>().filter { $0.lodger.room.id.number == 7 }) == [2])
      #expect(try ids(Query<Parcel>().filter { $0.lodger.room.beds == 2 }) == [2])
      let parcels = try FetchedObjectsModel(
        Query<Parcel>().aggregating { $0.lodger.room.id.number }.aggregating {
          $0.lodger.room.id.deck
        },
        in: store)
      #expect(parcels.snapshot.count { $0.lodger.room.id.number } == 1)
      #expect(parcels.snapshot.max { $0.lodger.room.id.deck } == "a")
      let included = try FetchedObjectsModel(
        Query<Parcel>().including { $0.lodger.room.beds }, in: store)
      #expect(included.snapshot.count == 2)
    }
  }
}
