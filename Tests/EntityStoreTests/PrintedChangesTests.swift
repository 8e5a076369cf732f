@_spi(Storage) import EntityStore
import TestSupport
import Testing

/// What it says when it is printed, which is one line.
private func line(_ value: some Any, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  let text = "\(value)"
  #expect(!text.contains("\n"), sourceLocation: sourceLocation)
  // An array shows its elements so, and a failed expectation what it compares.
  #expect(String(reflecting: value) == text, sourceLocation: sourceLocation)
  return text
}

/// What `dump` says.
private func dumped(_ value: some Any) -> String {
  var text = ""
  dump(value, to: &text)
  return text
}

@Suite struct `Values of a store print one line` {
  private func makeStore() throws -> Store {
    let store = try Store(.inMemory, entities: [Pet.self, Owner.self])
    try store.commit { draft in
      try draft.insert(Owner(id: 1, name: "Ann"))
      for id in 1...3 { try draft.insert(Pet(id: id)) }
    }
    return store
  }

  /// The commit of a change that inserts, updates and deletes.
  private func mixedCommit(_ name: String?) throws -> Commit {
    let store = try makeStore()
    let commits = Recorder(store.commits)
    try store.commit(named: name) { draft in
      try draft.insert(Pet(id: 4))
      try draft.insert(Pet(id: 5))
      try draft.update(Pet.self, 1) { $0.owner = Ref(1) }
      try draft.delete(Pet.self, 2)
      try draft.update(Owner.self, 1) { $0.name = "Bo" }
    }
    return try #require(commits.values.first)
  }

  @Test func `A commit says its version, its name and its counts of inserts, updates and deletes`()
    throws
  {
    #expect(
      line(try mixedCommit(nil))
        == "version 2: Owner: 1 updated; Pet: 2 inserted, 1 updated, 1 deleted")
    #expect(
      line(try mixedCommit(#"Say "hi""#))
        == #"version 2 "Say \"hi\"": Owner: 1 updated; Pet: 2 inserted, 1 updated, 1 deleted"#)
  }

  @Test func `A commit of others says so, and whether it is all that they have done`() throws {
    let changes = try mixedCommit(nil).changes
    let words = "Owner: 1 updated; Pet: 2 inserted, 1 updated, 1 deleted"
    #expect(
      line(Commit(versions: 3...3, changes: changes, isExternal: true))
        == "version 3 (external): \(words)")
    #expect(
      line(Commit(versions: 3...7, changes: changes, isExternal: true, isComplete: false))
        == "versions 3 to 7 (external, incomplete): \(words)")
    #expect(
      line(Commit(versions: 8...8, changes: NetChanges([]), isExternal: true, isComplete: false))
        == "version 8 (external, incomplete): no change that is known")
    #expect(line(Commit(versions: 8...8, changes: NetChanges([]))) == "version 8: no change")
  }

  @Test func `The changes of a commit say what they are, one by one and together`() throws {
    let changes = try mixedCommit(nil).changes
    #expect(line(changes) == "Owner: 1 updated; Pet: 2 inserted, 1 updated, 1 deleted")
    #expect(line(NetChanges([])) == "no change")
    let pets = try #require(changes[Pet.schema.entity])
    #expect(line(pets) == "Pet: 2 inserted, 1 updated, 1 deleted")
    #expect(
      pets.sorted.map { line($0) } == [
        "updated Pet(1) (owner)", "deleted Pet(2)", "inserted Pet(4)", "inserted Pet(5)",
      ])
    #expect(line(ObjectChange(id: .integer(7), old: nil, new: nil)) == "no change of 7")
  }

  @Test func `A row says what its object says`() throws {
    let changes = try mixedCommit(nil).changes
    let row = try #require(changes[Owner.schema.entity]?.all.first?.new)
    #expect(line(row) == "\(Owner(id: 1, name: "Bo"))")
    #expect(line(row) == #"Owner(id: 1, name: "Bo")"#)
  }

  @Test func `A store and its snapshot say their version and their entities`() throws {
    let store = try makeStore()
    let snapshot = try store.snapshot()
    try store.commit { try $0.delete(Pet.self, 1) }
    #expect(line(store) == "Store at version 2 of Owner and Pet")
    #expect(line(snapshot) == "Store.Snapshot at version 1 of Owner and Pet")
    // It may be printed wherever it is used.
    try store.commit { draft in
      #expect("\(store)" == "Store at version 2 of Owner and Pet")
      try draft.delete(Pet.self, 2)
    }
  }

  @Test func `A schema says its attributes, and a request what it asks for`() throws {
    #expect(line(Pet.schema.entity) == "Pet(id, owner)")
    #expect(line(Pet.schema) == "Pet(id, owner)")
    #expect(line(Pet.schema.entity.columns[0]) == "id: integer")
    #expect(line(Pet.schema.entity.columns[1]) == "owner: integer?, of Owner")
    let query = Query<Pet>().filter { $0.id > 1 }.sorted { [$0.owner.name.descending] }
      .limit(5, offset: 2)
    #expect(
      line(FetchPlan(query.description))
        == "Pet where Pet.id > 1 by Pet.owner.name descending; Pet.id ascending at most 5 after 2")
    #expect(
      line(FetchPlan(Query<Pet>().description, values: [.constant(.integer(3))]))
        == "Pet by Pet.id ascending with 3")
  }

  @Test func `A dump shows the objects and not their storage`() throws {
    let commit = dumped(try mixedCommit("Move"))
    #expect(commit.hasPrefix(#"▿ version 2 "Move": Owner: 1 updated; "#))
    #expect(commit.contains(#"name: "Bo""#))
    let store = try makeStore()
    for text in [commit, dumped(store), dumped(try store.snapshot()), dumped(Pet.schema.entity)] {
      for word in ["RowBox", "ChangeIndex", "places", "Locked", "(Function)", "storage", "attempt"]
      {
        #expect(!text.contains(word), "\(word) in \(text)")
      }
    }
    #expect(dumped(store).contains("Pet(id, owner)"))
  }
}
