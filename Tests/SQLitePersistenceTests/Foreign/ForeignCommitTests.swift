import EntityStore
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A commit of another store of the file is an exact commit` {
  private let stores: TwoStores
  private let commits: Recorder<Commit>

  init() throws {
    stores = try TwoStores()
    commits = Recorder(stores.here.commits)
  }

  private var lines: [String] { commits.values.map(\.line) }

  @Test func `P5: each kind of change comes with the values before and after`() throws {
    let there = Recorder(stores.there.commits)
    let steps: [(inout Draft) throws -> Void] = [
      { draft in
        try draft.insert(Person(id: "ann", name: "Ann", height: -0.0, photo: []))
        try draft.insert(Person(id: "e\u{301}", name: "a\0b", height: .infinity, photo: [0, 255]))
        try draft.insert(Car(id: .min, model: "", owner: Ref("ann"), driver: Ref("e\u{301}")))
        try draft.insert(Car(id: .max, model: "\u{212A}", tower: Ref(7)))
      },
      { try $0.update(Person.self, "ann") { $0.photo = Array(repeating: 7, count: 10_000) } },
      { draft in
        try draft.update(Person.self, "ann") { $0.name = "\u{1F600}" }
        try draft.update(Car.self, .min) { $0.tower = Ref(-1) }
      },
      // Swapped unique values, which the file deletes and inserts again.
      { draft in
        try draft.update(Car.self, .min) { $0.model = "\u{212A}" }
        try draft.update(Car.self, .max) { $0.model = "" }
      },
      { draft in
        try draft.delete(Car.self, .max)
        try draft.insert(Car(id: .max, model: "again"))
      },
      // The car goes with its driver.
      { try $0.delete(Person.self, "e\u{301}") },
      { try $0.deleteAll(Car.self) },
    ]
    for step in steps {
      try stores.there.commit(step)
      try stores.here.refresh()
    }
    #expect(there.values.count == steps.count)
    #expect(commits.values.map(\.changedObjects) == there.values.map(\.changedObjects))
    #expect(commits.values.map(\.allValues) == there.values.map(\.allValues))
    #expect(commits.values.map(\.versions) == (1...Int64(steps.count)).map { $0...$0 })
    #expect(commits.values.allSatisfy { $0.isExternal && $0.isComplete && $0.name == nil })
    #expect(there.values.allSatisfy { !$0.isExternal })
  }

  @Test func `P5: what is found together is one net commit with its range of versions`() throws {
    let there = stores.there
    try there.commit { try $0.insert(Car(id: 1, model: "a")) }
    try there.commit { try $0.insert(Car(id: 2, model: "b")) }
    try there.commit { try $0.update(Car.self, 1) { $0.model = "c" } }
    try stores.here.refresh()
    try there.commit { try $0.delete(Car.self, 1) }
    try there.commit { try $0.insert(Car(id: 1, model: "d")) }
    try there.commit { try $0.insert(Car(id: 3, model: "e")) }
    try there.commit { try $0.delete(Car.self, 3) }
    try there.commit { try $0.update(Car.self, 2) { $0.tower = Ref(9) } }
    try there.commit { try $0.update(Car.self, 2) { $0.model = "f" } }
    try there.commit { try $0.insert(Person(id: "p", name: "p")) }
    try stores.here.refresh()
    #expect(
      lines == [
        "1...3 foreign +Car(1) +Car(2)",
        "4...10 foreign ~Car(1).model ~Car(2).model,tower +Person(\"p\")",
      ])
    try #require(commits.values.count == 2)
    #expect(commits.values[1].changes(of: Car.self).updated.map(\.old.model) == ["c", "b"])
    #expect(commits.values[1].changes(of: Car.self).updated.map(\.new.model) == ["d", "f"])
  }

  @Test func `P5: what comes to nothing is no commit, and the next one follows it`() throws {
    try stores.there.commit { try $0.insert(Car(id: 1, model: "a")) }
    try stores.there.commit { try $0.delete(Car.self, 1) }
    try stores.here.refresh()
    try stores.here.refresh()
    #expect(lines == [])
    try stores.here.commit { try $0.insert(Car(id: 2, model: "a")) }
    #expect(lines == ["3 +Car(2)"])
  }

  @Test func `P5: a commit reads others' commits before its body, and publishes them first`() throws
  {
    let (here, there) = (stores.here, stores.there)
    try there.commit { try $0.insert(Car(id: 1, model: "a")) }
    try there.commit { try $0.insert(Car(id: 2, model: "b")) }
    let commits = commits
    try here.commit { draft in
      try here.refresh()
      #expect(commits.values.isEmpty)
      #expect(try draft.count(Query<Car>()) == 2)
      try draft.update(Car.self, 1) { $0.model = "c" }
    }
    #expect(lines == ["1...2 foreign +Car(1) +Car(2)", "3 ~Car(1).model"])
    try there.refresh()
    #expect(try there.version == 3)
  }

  @Test func `P5: others' commits are published, too, if the body throws or changes nothing`()
    throws
  {
    struct Refusal: Error {}
    try stores.there.commit { try $0.insert(Car(id: 1, model: "a")) }
    let commits = commits
    #expect(throws: Refusal.self) {
      try stores.here.commit { draft in
        #expect(commits.values.isEmpty)
        try draft.delete(Car.self, 1)
        throw Refusal()
      }
    }
    #expect(lines == ["1 foreign +Car(1)"])
    try stores.there.commit { try $0.delete(Car.self, 1) }
    try stores.here.commit { _ in }
    #expect(lines == ["1 foreign +Car(1)", "2 foreign -Car(1)"])
  }

  @Test func `P5, S3: a callback that commits comes after what was taken in`() throws {
    let here = stores.here
    let token = here.commits.subscribe { commit in
      guard commit.isExternal else { return }
      do {
        try here.commit { try $0.insert(Car(id: Int(commit.version) + 10, model: commit.line)) }
      } catch { Issue.record(error) }
    }
    try stores.there.commit { try $0.insert(Car(id: 1, model: "a")) }
    try here.commit { try $0.insert(Car(id: 2, model: "b")) }
    try stores.there.commit { try $0.delete(Car.self, 1) }
    try here.refresh()
    #expect(
      lines == [
        "1 foreign +Car(1)", "2 +Car(2)", "3 +Car(11)", "4 foreign -Car(1)", "5 +Car(14)",
      ])
    token.cancel()
  }

  @Test func `P5: a callback may commit to the other store, to and fro`() throws {
    let (here, there) = (stores.here, stores.there)
    let token = here.commits.subscribe { commit in
      guard commit.version < 10 else { return }
      do {
        try there.commit { try $0.insert(Car(id: Int(commit.version), model: "\(commit.version)")) }
        try here.refresh()
      } catch { Issue.record(error) }
    }
    try here.commit { try $0.insert(Car(id: 0, model: "0")) }
    #expect(lines == ["1 +Car(0)"] + (2...10).map { "\($0) foreign +Car(\($0 - 1))" })
    token.cancel()
  }

  @Test func `P5: changes of one entity, and of one object, include others' commits`() throws {
    try stores.here.commit { draft in
      for id in 1...3 { try draft.insert(Car(id: id, model: "\(id)")) }
    }
    let cars = Recorder(stores.here.changes(of: Car.self))
    let second = Recorder(stores.here.changes(of: Car.self, 2))
    let guarded = Recorder(stores.here.changes(of: Car.self) { $0.model == "2" })
    try stores.there.commit { try $0.update(Car.self, 1) { $0.tower = Ref(2) } }
    try stores.here.refresh()
    try stores.there.commit { try $0.update(Car.self, 2) { $0.model = "new" } }
    try stores.here.refresh()
    #expect(cars.values.map(\.version) == [2, 3])
    #expect(second.values.map(\.version) == [3])
    #expect(guarded.values.map(\.version) == [3])
    #expect(guarded.values.first?.updated.map(\.old.model) == ["2"])
  }

  @Test func `P5: a store of some of the entities gets what concerns these`() throws {
    let people = try Store(
      .sqlite(path: stores.path, durability: .normal, watching: .none), entities: [Person.self])
    let commits = Recorder(people.commits)
    try stores.there.commit { try $0.insert(Car(id: 1, model: "a")) }
    try people.refresh()
    #expect(commits.values.isEmpty)
    try stores.there.commit { draft in
      try draft.update(Car.self, 1) { $0.model = "b" }
      try draft.insert(Person(id: "p", name: "p"))
      try draft.delete(Car.self, 1)
    }
    try people.commit { try $0.insert(Person(id: "q", name: "q")) }
    #expect(commits.values.map(\.line) == ["2 foreign +Person(\"p\")", "3 +Person(\"q\")"])
    try stores.here.refresh()
    #expect(lines == ["1...3 foreign +Person(\"p\") +Person(\"q\")"])
  }

  @Test func `P5: others' commits are in the history, and can't be undone here`() throws {
    let here = stores.here
    here.historyLimit = 10
    try here.commit(named: "Buy") { try $0.insert(Car(id: 1, model: "a")) }
    try stores.there.commit(named: "Theirs") { try $0.update(Car.self, 1) { $0.tower = Ref(1) } }
    try here.refresh()
    #expect(here.history.map(\.line) == ["1 +Car(1)", "2 foreign ~Car(1).tower"])
    #expect(here.undoNames == ["Buy"])
    #expect(throws: StoreError.self) { try here.undo() }
    try here.commit(named: "Paint") { try $0.update(Car.self, 1) { $0.model = "b" } }
    try stores.there.commit { try $0.update(Car.self, 1) { $0.tower = nil } }
    #expect(try here.undo() == "Paint")
    #expect(try here.find(Car.self, 1)?.model == "a")
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "c" } }
    do {
      try here.redo()
      Issue.record("What others have changed is overwritten")
    } catch StoreError.changedSince(let object, let attribute, _, let found) {
      #expect("\(object).\(attribute) \(found)" == "Car(1).model c")
    }
    #expect(lines.last == "6 foreign ~Car(1).model")
  }

  @Test func `P5: in memory there are no other stores`() throws {
    let store = try Store(.inMemory, entities: [Car.self, Person.self])
    let commits = Recorder(store.commits)
    try store.commit { try $0.insert(Car(id: 1, model: "a")) }
    try store.refresh()
    #expect(commits.values.map(\.line) == ["1 +Car(1)"])
  }
}
