import EntityStore
import Fixtures
import TestSupport
import Testing

/// A value that is stored as nil though its type isn't optional.
private struct Mood: Storable, Hashable {
  var word: String?

  init(_ word: String?) { self.word = word }

  static var storedType: StoredType { .text }
  var storedValue: StoredValue { word.map(StoredValue.text) ?? .null }
  init(storedValue: StoredValue) throws {
    word = storedValue.isNull ? nil : try String(storedValue: storedValue)
  }
}

private struct Friend: Entity {
  let id: Int
  var mood: Mood
  var hope: Mood?
  static let attributes = Attributes(
    .id(\Friend.id), .attribute("mood", \.mood), .attribute("hope", \.hope))
  static let schema = Schema(attributes, Friend.init)
}

private struct Feeling: Entity {
  let id: Mood
  var name = ""
  static let attributes = Attributes(.id(\Feeling.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Feeling.init)
}

private struct Memory: Entity {
  let id: Int
  var feeling: Ref<Feeling>
  var other: Ref<Feeling>?
  static let attributes = Attributes(
    .id(\Memory.id), .one("feeling", \.feeling), .one("other", \.other))
  static let schema = Schema(attributes, Memory.init)
}

private struct Evening: Entity {
  struct ID: CompositeID {
    var day: Int
    var mood: Mood
  }
  let id: ID
  var name = ""
  static let attributes = Attributes(
    .id(\Evening.id, ID.init, .part("day", \.day), .part("mood", \.mood)),
    .attribute("name", \.name))
  static let schema = Schema(attributes, Evening.init)
}

private struct Plan: Entity {
  let id: Int
  var evening: Ref<Evening>?
  static let attributes = Attributes(.id(\Plan.id), .one("evening", \.evening, lateBound: true))
  static let schema = Schema(attributes, Plan.init)
}

@Suite struct `A required value that is stored as nil is refused everywhere` {
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(
      Friend.self, Feeling.self, Memory.self, Evening.self, Plan.self)
    try store.commit { draft in
      try draft.insert(Friend(id: 1, mood: Mood("glad"), hope: Mood(nil)))
      try draft.insert(Feeling(id: Mood("glad")))
      try draft.insert(Memory(id: 1, feeling: Ref(Mood("glad"))))
      try draft.insert(Evening(id: .init(day: 1, mood: Mood("glad"))))
      try draft.insert(Plan(id: 1, evening: Ref(.init(day: 2, mood: Mood("sad")))))
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: an attribute`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    func missing(_ id: Int) -> StoreError {
      .missingValue(ObjectID(Friend.self, id), attribute: "mood")
    }
    try store.expectRefusal(missing(2)) { try $0.insert(Friend(id: 2, mood: Mood(nil))) }
    try store.expectRefusal(missing(1)) { draft in
      try draft.update(Friend.self, 1) { $0.mood = Mood(nil) }
    }
    try store.expectRefusal(missing(1)) { try $0.upsert(Friend(id: 1, mood: Mood(nil))) }
    // Judged when the commit ends; and an optional one may be stored as nil.
    try store.commit { draft in
      try draft.update(Friend.self, 1) { $0.mood = Mood(nil) }
      try draft.update(Friend.self, 1) { $0.mood = Mood("sad") }
    }
    #expect(try store.find(Friend.self, 1)?.mood == Mood("sad"))
    #expect(try store.count(Query<Friend>().filter { $0.hope == nil }) == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: an id, and a reference to it`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    try store.expectRefusal(
      .missingValue(ObjectID(Feeling.self, Mood(nil)), attribute: "id")
    ) { try $0.insert(Feeling(id: Mood(nil))) }
    try store.expectRefusal(.missingValue(ObjectID(Memory.self, 1), attribute: "feeling")) {
      draft in try draft.update(Memory.self, 1) { $0.feeling = Ref(Mood(nil)) }
    }
    try store.commit { draft in
      try draft.update(Memory.self, 1) { $0.other = Ref(Mood(nil)) }
    }
    #expect(try store.count(Query<Memory>().filter { $0.other == nil }) == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a part of a composite id, and of a late-bound reference to one`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let part = Evening.ID(day: 1, mood: Mood(nil))
    try store.expectRefusal(.missingValue(ObjectID(Evening.self, part), attribute: "mood")) {
      try $0.insert(Evening(id: part))
    }
    try store.expectRefusal(.missingValue(ObjectID(Plan.self, 1), attribute: "evening_mood")) {
      draft in try draft.update(Plan.self, 1) { $0.evening = Ref(part) }
    }
    try store.commit { draft in try draft.update(Plan.self, 1) { $0.evening = nil } }
  }
}
