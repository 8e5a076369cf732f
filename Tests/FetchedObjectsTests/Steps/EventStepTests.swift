import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

private func describe(_ step: EventStep<EntityView<Car>>) -> String {
  switch step {
  case .begin: "begin"
  case .section(let section, let change): "\(change): \(section.name)"
  case .row(let car, let change): "\(change): \(car.id) \(car.model)"
  case .end: "end"
  }
}

/// A host in the manner of a table view: between begin and end it collects, and then carries out one batch
/// with what it was given.
private struct BatchHost {
  var list: [ListSection<String, String>]
  private var isOpen = false
  private var changes = Changes()

  private struct Changes {
    var sections: [SectionChange] = []
    var rows: [RowChange] = []
    var headers: [Int: String] = [:]
    var texts: [ListPath: String] = [:]
  }

  init(_ snapshot: ListSnapshot<EntityView<Car>>) {
    list = snapshot.sections.map { section in
      ListSection(header: section.name, rows: section.map(Self.text))
    }
  }

  static func text(_ car: EntityView<Car>) -> String { "\(car.id) \(car.model) \(car.year)" }

  mutating func take(_ step: EventStep<EntityView<Car>>) -> ListChanges? {
    switch step {
    case .begin:
      #expect(!isOpen)
      isOpen = true
      changes = Changes()
    case .section(let section, let change):
      #expect(isOpen)
      changes.sections.append(change)
      if let new = change.newPosition { changes.headers[new] = section.name }
      if case .delete(let old) = change { #expect(list[old].header == section.name) }
    case .row(let car, let change):
      #expect(isOpen)
      changes.rows.append(change)
      if let new = change.newPosition { changes.texts[new] = Self.text(car) }
      if case .delete(let old) = change {
        #expect(list[old.section].rows[old.row] == Self.text(car))
      }
    case .end:
      #expect(isOpen)
      isOpen = false
      let all = collected
      let (headers, texts) = (changes.headers, changes.texts)
      all.apply(to: &list, header: { headers[$0] ?? "" }, row: { texts[$0] ?? "" })
      return all
    }
    return nil
  }

  private var collected: ListChanges {
    func rows(_ kind: ChangeKind) -> [RowChange] { changes.rows.filter { $0.kind == kind } }
    func pair(_ change: RowChange) -> PositionChange<ListPath>? {
      guard let old = change.oldPosition, let new = change.newPosition else { return nil }
      return PositionChange(old: old, new: new)
    }
    func sections(_ kind: ChangeKind) -> [SectionChange] {
      changes.sections.filter { $0.kind == kind }
    }
    func pair(_ change: SectionChange) -> PositionChange<Int>? {
      guard let old = change.oldPosition, let new = change.newPosition else { return nil }
      return PositionChange(old: old, new: new)
    }
    return ListChanges(
      deletedSections: sections(.delete).compactMap(\.oldPosition),
      insertedSections: sections(.insert).compactMap(\.newPosition),
      movedSections: sections(.move).compactMap(pair),
      updatedSections: sections(.update).compactMap(pair),
      deletes: rows(.delete).compactMap(\.oldPosition),
      inserts: rows(.insert).compactMap(\.newPosition),
      moves: rows(.move).compactMap(pair), updates: rows(.update).compactMap(pair))
  }
}

@Suite struct EventStepTests {
  @Test(arguments: TestStorage.withServer)
  func `F2, D2: an event is delivered as begin, each change in the order of D2, and end`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    try store.commit { draft in
      try draft.insert(Person(id: 3, name: "Cid", age: nil))
      try draft.insert(Car(id: 5, model: "Audi", year: 1, owner: Ref(ann)))
      try draft.insert(Car(id: 6, model: "Dacia", year: 1, owner: Ref(bob)))
    }
    let cars = try FetchedObjectsModel(byOwner, in: store)
    // Ann: 5 Audi, 2 Fiat, 1 Volvo; Bob: 6 Dacia, 3 Tesla.
    let log = Log<String>()
    let tokens = [
      cars.didChange.subscribe { _ in log.note("did") },
      cars.steps.subscribe { step in
        #expect(cars.sections.map(\.name) == ["Ann", "Cid"])
        log.note(describe(step))
      },
      cars.willChange.subscribe { _ in log.note("will") },
    ]
    try store.commit { draft in
      try draft.delete(Car.self, 3)
      try draft.update(Car.self, 6) { $0.owner = Ref(ann) }
      try draft.update(Car.self, 1) { $0.model = "Alfa" }
      try draft.delete(Car.self, 2)
      try draft.update(Car.self, 5) { $0.year = 2 }
      try draft.update(Car.self, 4) { $0.owner = Ref(3) }
      try draft.insert(Car(id: 7, model: "Ford", year: 1, owner: Ref(3)))
    }
    #expect(
      log.entries == [
        "will", "begin", "update 0.0 → 0.1: 5 Audi", "delete 1.1: 3 Tesla", "delete 0.1: 2 Fiat",
        "delete section 1: Bob", "insert section 1: Cid", "move 0.2 → 0.0: 1 Alfa",
        "move 1.0 → 0.2: 6 Dacia", "insert 1.0: 7 Ford", "insert 1.1: 4 Skoda", "end", "did",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test func `F2, D1: the steps lead a host that collects them from each result to the next`()
    throws
  {
    for seed in seeds(20) {
      var generator = SeededGenerator(seed: seed)
      let store = try TestStorage.memory.makeGarage()
      try store.commit { draft in
        for id in 1...5 { try draft.insert(Person(id: id, name: "P\(id)", age: id)) }
      }
      let query = Query<Car>().sorted { [$0.year.ascending] }
        .sectioned(
          by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.age.ascending })
      let cars = try FetchedObjectsModel(query, in: store)
      let host = Locked(BatchHost(cars.snapshot))
      let collected = Locked<[ListChanges]>([])
      let token = cars.steps.subscribe { step in
        if let changes = host.withLock({ $0.take(step) }) {
          collected.withLock { $0.append(changes) }
        }
      }
      let events = Recorder(cars.didChange)
      for _ in 0..<40 {
        try store.commit { draft in
          for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let id = Int.random(in: 1...20, using: &generator)
            let owner = Int.random(in: 0...5, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try? draft.delete(Car.self, id)
            case 1 where owner > 0:
              let age = Int.random(in: 0..<9, using: &generator)
              try draft.update(Person.self, owner) { person in
                person.name = "P\(age)"
                person.age = age
              }
            default:
              try draft.upsert(
                Car(
                  id: id, model: "M\(owner)", year: Int.random(in: 0...5, using: &generator),
                  owner: owner == 0 ? nil : Ref(owner)))
            }
          }
        }
        #expect(host.withLock { $0.list } == BatchHost(cars.snapshot).list)
      }
      #expect(collected.withLock { $0 } == events.values.map(\.changes))
      withExtendedLifetime(token) {}
    }
  }

  @Test func `R4: a subscription that is cancelled in an event gets nothing more of it`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let log = Log<String>()
    let token = Locked<SubscriptionToken?>(nil)
    let first = cars.steps.subscribe { step in
      log.note("first \(describe(step))")
      if case .row = step { token.withLock { $0 }?.cancel() }
    }
    token.withLock { $0 = first }
    let second = cars.steps.subscribe { log.note("second \(describe($0))") }
    try store.commit { draft in for id in 1...2 { try draft.delete(Car.self, id) } }
    let all = [
      "begin", "delete 0.1: 1 Volvo", "delete 0.0: 2 Fiat", "delete section 0: Ann", "end",
    ]
    #expect(log.entries == all.prefix(2).map { "first \($0)" } + all.map { "second \($0)" })
    withExtendedLifetime(second) {}
  }

  @Test func `R1: a subscription that is made in an event begins with the next one`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let log = Log<String>()
    let bag = SubscriptionBag()
    let token = cars.steps.subscribe { step in
      if case .row = step { cars.steps.subscribe { log.note(describe($0)) }.store(in: bag) }
    }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(log.entries.isEmpty)
    token.cancel()
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(log.entries == ["begin", "delete 0.0: 2 Fiat", "delete section 0: Ann", "end"])
  }

  @Test
  func
    `F2, S3: all steps show an event's result, and a commit made in one is delivered later`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let log = Log<String>()
    let tokens = [
      cars.steps.subscribe { step in
        log.note("\(describe(step)) of \(cars.snapshot.count)")
        if case .row(let car, .delete) = step, car.id < 3 {
          try? store.commit { try $0.delete(Car.self, car.id + 2) }
        }
      },
      cars.didChange.subscribe { log.note("did \($0.after.count) of \(cars.snapshot.count)") },
    ]
    try store.commit { draft in for id in 1...2 { try draft.delete(Car.self, id) } }
    #expect(
      log.entries == [
        "begin of 2", "delete 0.1: 2 Fiat of 2", "delete 0.0: 1 Volvo of 2", "end of 2",
        "did 2 of 2", "begin of 1", "delete 0.1: 4 Skoda of 1", "end of 1", "did 1 of 1",
        "begin of 0", "delete 0.0: 3 Tesla of 0", "end of 0", "did 0 of 0",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor func `F2: on the main actor a host is notified there, of the net change`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    var host = BatchHost(cars.snapshot)
    var count = 0
    let token = cars.steps.subscribe(on: .mainActor) { step in
      if host.take(step) != nil { count += 1 }
    }
    TestThread {
      for id in 1...3 { try? store.commit { try $0.delete(Car.self, id) } }
    }.join()
    await store.flush()
    #expect(count == 1)
    #expect(host.list == BatchHost(cars.snapshot).list)
    token.cancel()
  }

  @Test func `F2: a derived model delivers its events step by step too`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let rows = cars.filter { $0.year < 2010 }.map { $0.year }
    let log = Log<String>()
    let tokens = [
      rows.didChange.subscribe { _ in log.note("did") },
      rows.willChange.subscribe { _ in log.note("will") },
      rows.steps.subscribe { step in
        #expect(rows.snapshot.rows == [1])
        switch step {
        case .begin(let event): log.note("begin \(event.before.count)")
        case .section(let section, let change): log.note("\(change): \(section.name)")
        case .row(let year, let change): log.note("\(change): \(year)")
        case .end(let event): log.note("end \(event.after.count)")
        }
      },
    ]
    try store.commit { draft in
      for id in 1...2 { try draft.delete(Car.self, id) }
      try draft.update(Car.self, 3) { $0.year = 1 }
    }
    #expect(
      log.entries == [
        "will", "begin 2", "delete 0.1: 1994", "delete 0.0: 2004", "delete section 0: Ann",
        "insert section 0: Bob", "insert 0.0: 1", "end 1", "did",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test func `A section's change has the positions of its kind`() throws {
    let changes: [SectionChange] = [
      .insert(at: 1), .delete(from: 2), .update(from: 3, to: 4), .move(from: 5, to: 6),
    ]
    #expect(changes.map(\.kind) == [.insert, .delete, .update, .move])
    #expect(changes.map(\.oldPosition) == [nil, 2, 3, 5])
    #expect(changes.map(\.newPosition) == [1, nil, 4, 6])
    #expect(
      changes.map { "\($0)" } == [
        "insert section 1", "delete section 2", "update section 3 → 4", "move section 5 → 6",
      ])
  }
}
