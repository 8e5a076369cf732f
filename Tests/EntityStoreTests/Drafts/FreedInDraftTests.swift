import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

/// A value that says when it goes.
private struct Mark: Storable {
  private final class End: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
  }

  static let storedType = StoredType.integer

  let number: Int
  private let end: End

  init(_ number: Int, _ end: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.end = End(end)
  }

  init(storedValue: StoredValue) throws {
    self.init(try Int(storedValue: storedValue)) { whenMadeEnds.withLock { $0.take() }?() }
  }

  var storedValue: StoredValue { number.storedValue }
}

/// A mark that was made of its stored form runs this once when it goes.
private let whenMadeEnds = Locked<(@Sendable () -> Void)?>(nil)

private struct Marked: Entity {
  let id: Int
  var mark: Mark
  static let attributes = Attributes(.id(\Marked.id), .attribute("mark", \.mark))
  static let schema = Schema(attributes, Marked.init)
}

private struct MarkedPet: Entity {
  let id: Int
  var mark: Mark
  var owner: Ref<Owner>?
  static let attributes = Attributes(
    .id(\MarkedPet.id), .attribute("mark", \.mark), .one("owner", \.owner, onDelete: .nullify))
  static let schema = Schema(attributes, MarkedPet.init)
}

private struct MarkTag: Entity {
  let id: Int
  var marked: Ref<Marked>
  static let attributes = Attributes(.id(\MarkTag.id), .one("marked", \.marked))
  static let schema = Schema(attributes, MarkTag.init)
}

/// The checks of an entity run this, so that a test can do what a check mustn't.
private let duringCheck = Locked<(@Sendable () -> Void)?>(nil)

private struct Checked: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Checked.id))
  static let schema = Schema(
    attributes, Checked.init,
    rules: [
      .check("is checked") { _ in
        duringCheck.withLock { $0 }?()
        return true
      }
    ])
}

@Suite struct FreedInDraftTests {
  @Test(arguments: [false, true])
  func `R3: a value released with a savepoint may write to the commit`(_ throwing: Bool) throws {
    let store = try Store(.inMemory, entities: [Marked.self, Owner.self])
    try store.commit { try $0.insert(Marked(id: 1, mark: Mark(0))) }
    let ended = Counter()
    try store.commit { draft in
      do {
        try store.commit { inner in
          for number in 1...3 {
            try inner.update(Marked.self, 1) {
              $0.mark = Mark(number) { [weak store] in
                ended.add(1)
                _ = try? store?.commit { try $0.insert(Owner(id: number)) }
              }
            }
          }
          if throwing { throw Refusal() }
        }
      } catch is Refusal {}
      // The last one is in the commit unless it was undone.
      #expect(ended.value == (throwing ? 3 : 2))
      #expect(try draft.count(Query<Owner>()) == ended.value)
      #expect(try draft.find(Marked.self, 1)?.mark.number == (throwing ? 0 : 3))
    }
    #expect(try store.all(Owner.self).map(\.id) == Array(1...(throwing ? 3 : 2)))
    #expect(try store.find(Marked.self, 1)?.mark.number == (throwing ? 0 : 3))
  }

  @Test func `S2: a value released by an update may write to the object that is updated`() throws {
    let store = try Store(.inMemory, entities: [Marked.self])
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Marked(id: id, mark: Mark(0))) }
    }
    let commits = Recorder(store.commits)
    try store.commit { draft in
      try draft.update(Marked.self, 1) { object in
        for number in 1...2 {
          try draft.update(Marked.self, 2) {
            $0.mark = Mark(number) { [weak store] in
              _ = try? store?.commit { try $0.update(Marked.self, 1) { $0.mark = Mark(99) } }
            }
          }
        }
        object.mark = Mark(5)
      }
      // The first mark of the other object has gone with the update, after it.
      #expect(try draft.find(Marked.self, 1)?.mark.number == 99)
      #expect(try draft.fetch(Query<Marked>()).map(\.mark.number) == [99, 2])
    }
    #expect(try store.all(Marked.self).map(\.mark.number) == [99, 2])
    #expect(commits.values.map(\.objectIDs.count) == [2])
  }

  @Test func `S4: a value that a delete rule releases deletes by the rules, too`() throws {
    let store = try Store(.inMemory, entities: [Owner.self, Pet.self, MarkedPet.self])
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Owner(id: id)) }
      try draft.insert(Pet(id: 1, owner: Ref(2)))
    }
    let deletions = Counter()
    try store.commit { draft in
      try draft.insert(
        MarkedPet(
          id: 1,
          mark: Mark(1) { [weak store] in
            _ = try? store?.commit { try $0.delete(Owner.self, 2) }
            deletions.add(1)
          }, owner: Ref(1)))
      try draft.delete(Owner.self, 1)
    }
    #expect(deletions.value == 1)
    #expect(try store.find(Owner.self, 2) == nil)
    #expect(try store.find(Pet.self, 1)?.owner == nil)
  }

  @Test func `S2: a value that a body has only found may commit when it is released`() throws {
    // In memory, no value is made of its stored form.
    for storage in TestStorage.withServer where storage != .memory {
      let store = try storage.makeStore(Owner.self, Marked.self)
      try store.commit { try $0.insert(Marked(id: 1, mark: Mark(1))) }
      let ended = Counter()
      whenMadeEnds.withLock { hook in
        hook = { [weak store] in
          _ = try? store?.commit { try $0.insert(Owner(id: 2)) }
          ended.add(1)
        }
      }
      try store.commit { draft in
        #expect(try draft.find(Marked.self, 1) != nil)
        try draft.insert(Owner(id: 1))
      }
      #expect(ended.value == 1)
      #expect(try store.all(Owner.self).map(\.id) == [1, 2])
    }
  }

  @Test func `S6: a commit from a check traps, since the check comes after the body`() async throws
  {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(.inMemory, entities: [Owner.self, Checked.self])
      duringCheck.withLock { hook in
        hook = { _ = try? store.commit { try $0.insert(Owner(id: 9)) } }
      }
      try store.commit { try $0.insert(Checked(id: 1)) }
    }
    trap.expectMessage("A commit is made while another one is checked or published")
  }

  @Test(arguments: TestStorage.allCases)
  func `S4: a value of an object that a new reference names may commit when it is released`(
    _ storage: TestStorage
  ) async {
    await #expect(processExitsWith: .success) { [storage = storage as TestStorage] in
      let store = try storage.makeStore(Owner.self, Marked.self, MarkTag.self)
      try store.commit { try $0.insert(Marked(id: 1, mark: Mark(1))) }
      whenMadeEnds.withLock { $0 = { _ = try? store.commit { try $0.insert(Owner(id: 1)) } } }
      try store.commit { try $0.insert(MarkTag(id: 1, marked: Ref(1))) }
      guard try storage == .memory || store.count(Query<Owner>()) == 1 else { throw Refusal() }
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `S4: a value that the rules make and release may commit`(_ storage: TestStorage) async {
    await #expect(processExitsWith: .success) { [storage = storage as TestStorage] in
      let store = try storage.makeStore(Owner.self, MarkedPet.self)
      try store.commit { draft in
        for id in 1...2 { try draft.insert(Owner(id: id)) }
        try draft.insert(MarkedPet(id: 1, mark: Mark(1), owner: Ref(1)))
      }
      whenMadeEnds.withLock { $0 = { _ = try? store.commit { try $0.delete(Owner.self, 2) } } }
      try store.commit { try $0.delete(Owner.self, 1) }
      guard try store.all(Owner.self).isEmpty else { throw Refusal() }
    }
  }
}
