import EntityStore
import FetchedObjects
import ListDiffing
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

private func path(_ section: Int, _ row: Int) -> ListPath { ListPath(section: section, row: row) }

@Suite struct DataProviderTests {
  // MARK: The data source

  @Test func `107, 111, 114, 115: before the first fetch there is nothing, and no query runs`()
    throws
  {
    let provider = makeProvider(try TestStorage.memory.makeShowroom())
    #expect(provider.objects == nil)
    #expect(provider.numberOfSections == nil)
    #expect(provider.numberOfRows(inSection: 0) == 0)
    #expect(provider.sectionName(at: 0) == nil)
    #expect(provider.sectionIndexTitles == [])
    #expect(provider.snapshot == nil)
  }

  @Test(arguments: TestStorage.allCases)
  func `107 to 116: a provider answers what a screen asks`(_ storage: TestStorage) throws {
    let provider = makeProvider(try storage.makeShowroom())
    try provider.reloadData()
    #expect(provider.objects?.map(\.model) == ["Golf", "Panda", "Polo", "Fabia"])
    #expect(provider.object(at: path(0, 0)) == Ownership(1, "Ann", "VW", "Golf", 10))
    #expect(provider.numberOfSections == 3)
    #expect((0..<3).map { provider.numberOfRows(inSection: $0) } == [2, 1, 1])
    #expect((0..<3).map { provider.sectionName(at: $0) } == ["Ann", "Bob", "Cid"])
    #expect(provider.sectionIndexTitles == ["A", "B", "C"])
    #expect(provider.section(forSectionIndexTitle: "C", at: 2) == 2)
    #expect(provider.sectionIndexTitle(forSectionName: "dan") == "D")
    #expect(provider.sectionIndexTitle(forSectionName: "") == nil)
    let sections = try #require(provider.snapshot?.result.sections)
    #expect(sections.map(\.name) == ["Ann", "Bob", "Cid"])
    #expect(sections.map(\.indexTitle) == ["A", "B", "C"])
    #expect(sections.map(\.count) == [2, 1, 1])
    #expect(sections[0].objects.map(\.id) == [1, 2])
  }

  @Test func `109: an object's names come with those of the objects that it refers to`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store, Query<Auto>())
    try store.commit {
      try $0.insert(Auto(id: 9, model: "X", mileage: 0, note: "", holder: nil, maker: nil))
    }
    try provider.reloadData()
    let ids = provider.objectIDs(at: path(0, 2))
    #expect(ids.object == ObjectID(Auto.self, 3))
    #expect(ids.related == ["holder": ObjectID(Holder.self, 2), "maker": ObjectID(Maker.self, 1)])
    #expect(provider.objectIDs(at: path(0, 4)).related.isEmpty)
  }

  @Test func `110, 112: titles of an index come once, and lead to their first section`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    try provider.reloadData()
    try provider.insertObject(by: Ownership(5, "Alf", "VW", "Up"))
    #expect((0..<4).map { provider.sectionName(at: $0) } == ["Alf", "Ann", "Bob", "Cid"])
    #expect(provider.sectionIndexTitles == ["A", "B", "C"])
    #expect(provider.section(forSectionIndexTitle: "A", at: 0) == 0)
    #expect(provider.section(forSectionIndexTitle: "B", at: 1) == 2)
  }

  @Test func `117, 118: only cars with owner and maker, by owner and model`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    try provider.reloadData()
    try store.commit { draft in
      try draft.insert(Auto(id: 8, model: "A", mileage: 0, note: "", holder: Ref(1), maker: nil))
      try draft.insert(Auto(id: 9, model: "A", mileage: 0, note: "", holder: nil, maker: Ref(1)))
      try draft.insert(Auto(id: 7, model: "A", mileage: 0, note: "", holder: Ref(1), maker: Ref(1)))
    }
    #expect(readOut(provider).map { $0.rows.map { $0?.id } } == [[7, 1, 2], [3], [4]])
  }

  @Test func `119: sections need not be what the objects are sorted by first (F4)`() throws {
    let provider = makeProvider(
      try TestStorage.memory.makeShowroom(), ownerships.sorted { [$0.mileage.descending] })
    try provider.reloadData()
    #expect(readOut(provider).map { $0.rows.map { $0?.id } } == [[1, 2], [3], [4]])
  }

  @Test func `120: two owners of one name have sections of their own, titled alike`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...2 {
        try draft.insert(Person(id: id, name: "Ann", age: nil))
        try draft.insert(Car(id: id, model: "\(id)", year: 1, owner: Ref(id)))
      }
    }
    let provider = FetchedDataProvider(
      Query<Car>().sectioned(
        by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending }),
      in: store, mapping: PlainDataMapping(Car.self))
    try provider.reloadData()
    #expect((0..<2).map { provider.sectionName(at: $0) } == ["Ann", "Ann"])
    #expect(provider.objects?.map(\.id) == [1, 2])
  }

  // MARK: Requests

  @Test(arguments: TestStorage.allCases)
  func `121: a reload fetches and is told, each time`(_ storage: TestStorage) throws {
    let provider = makeProvider(try storage.makeShowroom())
    let listener = ProviderListener(provider)
    try provider.reloadData()
    #expect(listener.reasons == [.reload])
    #expect(listener.list == readOut(provider))
    #expect(listener.events[0].before == nil)
    try provider.reloadData()
    #expect(listener.reasons == [.reload, .reload])
    #expect(listener.list == readOut(provider))
    #expect(listener.list.map(\.rows.count) == [2, 1, 1])
  }

  @Test(arguments: TestStorage.allCases)
  func `122: an empty list is told, then seeded, and the seed comes as a change`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom(isEmpty: true)
    let provider = makeProvider(store, seed: seedShowroom)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    #expect(listener.reasons == [.reload, .change])
    #expect(listener.events[0].batch.isEmpty)
    #expect(listener.list.map(\.header) == ["Ann", "Bob", "Cid"])
    try provider.reloadData()
    #expect(listener.reasons == [.reload, .change, .reload])
    #expect(try store.count(Query<Auto>()) == 4)
  }

  @Test func `122: a seed that fails is thrown, and the reload is told all the same`() throws {
    let provider = makeProvider(try TestStorage.memory.makeShowroom(isEmpty: true)) { _ in
      throw CancellationError()
    }
    let listener = ProviderListener(provider)
    #expect(throws: CancellationError.self) { try provider.reloadData() }
    #expect(listener.reasons == [.reload])
    #expect(provider.objects == [])
  }

  @Test(arguments: TestStorage.allCases)
  func `123 to 126: each request is one commit, told as any other`(_ storage: TestStorage) throws {
    let store = try storage.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    let commits = Recorder(store.commits)
    try provider.reloadData()
    try provider.deleteObject(Ownership(4, "", "", ""))
    try provider.deleteObject(at: path(0, 1))
    try provider.updateObject(at: path(0, 0), by: Ownership(1, "Bob", "VW", "Golf GTI", 20))
    try provider.insertObject(by: Ownership(5, "Dan", "VW", "Up"))
    try provider.updateObject(with: 3, by: Ownership(3, "Bob", "VW", "Polo", 7))
    #expect(commits.values.count == 5)
    #expect(listener.reasons == [.reload, .change, .change, .change, .change, .change])
    #expect(listener.list == readOut(provider))
    #expect(
      provider.objects == [
        Ownership(1, "Bob", "VW", "Golf GTI", 20), Ownership(3, "Bob", "VW", "Polo", 7),
        Ownership(5, "Dan", "VW", "Up"),
      ])
    try provider.deleteObject(with: 5)
    #expect(listener.list == readOut(provider))
    #expect(throws: StoreError.notFound(ObjectID(Auto.self, 5))) {
      try provider.deleteObject(with: 5)
    }
    #expect(throws: StoreError.notFound(ObjectID(Auto.self, 5))) {
      try provider.updateObject(with: 5, by: Ownership(5, "Dan", "VW", "Up"))
    }
  }

  @Test func `104, 123: an object that was just read can be deleted by its own identity`() throws {
    let provider = makeProvider(try TestStorage.memory.makeShowroom())
    try provider.reloadData()
    let object = try #require(provider.object(at: path(1, 0)))
    try provider.deleteObject(object)
    #expect(provider.objects?.contains(object) == false)
  }

  @Test func `127: an update updates, and an insert finds owner and maker by their names`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    try provider.reloadData()
    let (holders, makers) = (
      try store.count(Query<Holder>()), try store.count(Query<Maker>())
    )
    try provider.updateObject(at: path(0, 0), by: Ownership(1, "Ann", "VW", "Golf", 11))
    try provider.insertObject(by: Ownership(5, "Bob", "VW", "Up"))
    #expect(try store.find(Auto.self, 1)?.mileage == 11)
    #expect(try store.count(Query<Auto>()) == 5)
    #expect(try store.count(Query<Holder>()) == holders)
    #expect(try store.count(Query<Maker>()) == makers)
    #expect(throws: StoreError.alreadyExists(ObjectID(Auto.self, 5))) {
      try provider.insertObject(by: Ownership(5, "Eve", "Opel", "Corsa"))
    }
    // What failed has left nothing behind.
    #expect(try store.count(Query<Holder>()) == holders)
  }

  // MARK: Events

  @Test func `128, 129: six calls, bracketed, sections first, kinds and paths exact`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let lines = Locked<[String]>([])
    let token = provider.events.subscribe { event in
      let delegate = LoggingDelegate()
      event.tell(delegate)
      lines.withLock { $0 += delegate.lines }
    }
    try provider.reloadData()
    try store.commit { draft in
      let mapping = OwnershipMapping()
      try draft.delete(Auto.self, 4)
      try mapping.insert(Ownership(5, "Dan", "VW", "Up"), into: draft)
      try mapping.update(2, with: Ownership(2, "Bob", "Fiat", "Panda"), in: draft)
      try mapping.update(1, with: Ownership(1, "Ann", "VW", "Golf", 99), in: draft)
    }
    try provider.filter { $0.mileage > 50 }
    #expect(
      lines.withLock { $0 } == [
        "reload 4", "will 4", "section 2 delete nil", "section nil insert 2",
        "4 2.0 delete nil", "5 nil insert 2.0", "2 0.1 move 1.0", "1 0.0 update 0.0", "did 4",
        "filter 1",
      ])
    token.cancel()
    #expect(Set(ChangeKind.allCases) == [.insert, .delete, .move, .update])
  }

  @Test func `130: an object with a part missing is nil, and its path is told`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(
      store,
      Query<Auto>().including {
        $0.holder.name
        $0.maker.name
      })
    let listener = ProviderListener(provider)
    try provider.reloadData()
    try store.commit { try $0.update(Auto.self, 2) { $0.maker = nil } }
    let batch = try #require(listener.events.last?.batch)
    #expect(batch.updateTransactions.map(\.object) == [nil])
    #expect(batch.updateTransactions.map(\.updatedIndexPath) == [path(0, 1)])
    #expect(provider.object(at: path(0, 1)) == nil)
    #expect(provider.numberOfRows(inSection: 0) == 4)
    #expect(provider.objects?.map(\.id) == [1, 3, 4])
  }

  @Test func `132: each event gives the versions before and after, which stay as they are`() throws
  {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    let shown = Locked<[Int]>([])
    let token = provider.events.subscribe { [weak provider] event in
      // During a callback the provider shows the version after.
      shown.withLock { $0.append(provider?.objects?.count ?? -1) }
    }
    try provider.reloadData()
    try provider.deleteObject(at: path(0, 0))
    try provider.deleteObject(at: path(0, 0))
    let events = listener.events
    #expect(events.map { $0.after.objects?.count } == [4, 3, 2])
    #expect(events.map { $0.before?.objects?.count } == [nil, 4, 3])
    #expect(shown.withLock { $0 } == [4, 3, 2])
    #expect(events[1].before?.object(at: path(0, 0))?.model == "Golf")
    token.cancel()
  }

  @Test @MainActor func `133, 134: a presenter of the main actor is the view's data source`() throws
  {
    let provider = makeProvider(try TestStorage.memory.makeShowroom(), delivery: .mainActor)
    let presenter = Presenter()
    presenter.listen(provider)
    try provider.reloadData()
    #expect(presenter.rows == ["Ann: Golf", "Ann: Panda", "Bob: Polo", "Cid: Fabia"])
    #expect(readOut(presenter).map { $0.rows.map { $0 } }.first == ["Ann: Golf", "Ann: Panda"])
    try provider.insertObject(by: Ownership(6, "Bob", "VW", "Up"))
    #expect(presenter.rows == ["Ann: Golf", "Ann: Panda", "Bob: Polo", "Bob: Up", "Cid: Fabia"])
  }

  @Test func `133: an actor listens too`() async throws {
    let store = try TestStorage.memory.makeShowroom()
    let desk = ProviderDesk()
    let provider = makeProvider(store, delivery: .on(desk))
    await desk.listen(provider)
    try provider.reloadData()
    try provider.deleteObject(with: 1)
    await store.flush()
    #expect(await desk.reasons == [.reload, .change])
  }

  @Test func `137: provider, interactor and presenter go together`() throws {
    try LifetimeTracker.check { lifetime in
      let store = try TestStorage.memory.makeShowroom()
      let object = lifetime.track()
      var provider: Provider? = makeProvider(store)
      let token = provider?.events.subscribe { _ in _ = object }
      try provider?.reloadData()
      weak let gone = provider
      provider = nil
      #expect(gone == nil)
      try store.commit { try $0.delete(Auto.self, 1) }
      token?.cancel()
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `139: what comes while paused is one net event, and the same is shown till then`(
    _ storage: TestStorage
  ) throws {
    let provider = makeProvider(try storage.makeShowroom())
    let listener = ProviderListener(provider)
    try provider.reloadData()
    let before = readOut(provider)
    provider.pause()
    try provider.insertObject(by: Ownership(6, "Eve", "VW", "Up"))
    try provider.deleteObject(with: 3)
    try provider.deleteObject(with: 6)
    #expect(readOut(provider) == before)
    #expect(listener.events.count == 1)
    provider.resume()
    #expect(listener.reasons == [.reload, .change])
    #expect(listener.events.last?.batch.count == 1)
    #expect(listener.list == readOut(provider))
    // Nothing came: nothing is told.
    provider.pause()
    provider.resume()
    #expect(listener.events.count == 2)
    try provider.deleteObject(with: 4)
    #expect(listener.list == readOut(provider))
  }

  @Test func `139: a filter, a reload and a commit while paused are told when it resumes`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    provider.pause()
    try provider.filter { $0.mileage == 0 }
    try provider.deleteObject(with: 4)
    #expect(provider.objects?.count == 4)
    provider.resume()
    #expect(listener.reasons == [.reload, .filter])
    #expect(listener.list.map(\.header) == ["Ann", "Bob"])
    #expect(listener.list == readOut(provider))
    provider.pause()
    try provider.reloadData()
    try provider.deleteObject(with: 3)
    provider.resume()
    #expect(listener.reasons == [.reload, .filter, .reload])
    #expect(listener.list == readOut(provider))
    #expect(listener.list.map(\.header) == ["Ann"])
  }

  @Test(arguments: TestStorage.allCases)
  func `143, 144: an edit by id on another screen reaches the list, also of what isn't shown`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom()
    let list = makeProvider(store, ownerships.filter { $0.mileage < 100 })
    let edit = makeProvider(store)
    let listener = ProviderListener(list)
    try list.reloadData()
    // The other screen has fetched no list at all.
    var car = try #require(try edit.object(with: 1))
    #expect(car == Ownership(1, "Ann", "VW", "Golf", 10))
    car.mileage = 100
    try edit.updateObject(with: 1, by: car)
    #expect(listener.list.flatMap(\.rows).map { $0?.id } == [2, 3, 4])
    #expect(try list.object(with: 1)?.mileage == 100)
    #expect(try edit.object(with: 77) == nil)
  }

  @Test func `145: a commit that changes nothing is no event`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    let commits = Recorder(store.commits)
    try provider.reloadData()
    try provider.updateObject(at: path(0, 0), by: Ownership(1, "Ann", "VW", "Golf", 10))
    #expect(listener.events.count == 1)
    #expect(commits.values.isEmpty)
  }

  @Test func `146: the store tells the ids of what a request inserted, updated and deleted`() throws
  {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    try provider.reloadData()
    let commits = Recorder(store.commits)
    try provider.insertObject(by: Ownership(5, "Ann", "VW", "Up"))
    try provider.updateObject(with: 5, by: Ownership(5, "Ann", "VW", "Up", 5))
    try provider.deleteObject(with: 5)
    let changes = commits.values.map { $0.changes(of: Auto.self) }
    #expect(changes.map { $0.inserted.map(\.id) } == [[5], [], []])
    #expect(changes.map { $0.updated.map(\.new.id) } == [[], [5], []])
    #expect(changes.map { $0.deleted.map(\.id) } == [[], [], [5]])
  }

  @Test func `147: a request that has returned is in the file`() throws {
    let path = temporaryPath("fleet")
    let entities: [any Entity.Type] = [Auto.self, Holder.self, Maker.self]
    do {
      let store = try Store(.sqlite(path: path), entities: entities)
      try makeProvider(store).insertObject(by: Ownership(5, "Ann", "VW", "Up"))
    }
    let store = try Store(.sqlite(path: path), entities: entities)
    let provider = makeProvider(store)
    try provider.reloadData()
    #expect(provider.objects == [Ownership(5, "Ann", "VW", "Up")])
  }

  @Test(arguments: TestStorage.allCases)
  func `148: another filter is told as one event with the exact difference`(
    _ storage: TestStorage
  ) throws {
    let provider = makeProvider(try storage.makeShowroom())
    let listener = ProviderListener(provider)
    // Before the first fetch it is taken in, and nothing is told.
    try provider.filter { $0.holder.name != "Cid" }
    #expect(listener.events.isEmpty)
    try provider.reloadData()
    #expect(listener.list.map(\.header) == ["Ann", "Bob"])
    try provider.filter { $0.maker.name == "VW" }
    #expect(listener.reasons == [.reload, .filter])
    #expect(listener.events[1].batch.deleteTransactions.map { $0.object?.id } == [2])
    #expect(listener.list == readOut(provider))
    try provider.filter { $0.maker.name == "VW" || $0.id == 99 }
    // No row differs, and the screen hears that its request has been met.
    #expect(listener.reasons == [.reload, .filter, .filter])
    #expect(listener.events.last?.batch.isEmpty == true)
    try provider.removeFilter()
    #expect(listener.list.map(\.header) == ["Ann", "Bob", "Cid"])
    try provider.setQuery(ownerships.sorted { [$0.model.descending] })
    #expect(listener.list == readOut(provider))
    #expect(listener.list[0].rows.map { $0?.id } == [2, 1])
    try provider.insertObject(by: Ownership(5, "Ann", "VW", "Up"))
    #expect(listener.reasons.last == .change)
    #expect(listener.list == readOut(provider))
  }

  @Test(arguments: TestStorage.allCases)
  func `149: a renamed owner's section moves with its rows, and has the new name`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    try store.commit { try $0.update(Holder.self, 1) { $0.name = "Zoe" } }
    #expect(listener.list.map(\.header) == ["Bob", "Cid", "Zoe"])
    #expect(listener.list[2].rows.map { $0?.owner } == ["Zoe", "Zoe"])
    #expect(listener.list == readOut(provider))
    #expect(listener.events.count == 2)
  }

  // MARK: Faults

  @Test func `121, 148: data that can't be read throw, and what was shown stays`() throws {
    let storage = FlakyStorage()
    let store = try Store(
      .custom { storage }, entities: [Auto.self, Holder.self, Maker.self])
    try store.commit { try seedShowroom($0) }
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) { try provider.reloadData() }
    #expect(provider.objects == nil)
    storage.isFailing.store(0)
    try provider.reloadData()
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) { try provider.filter { $0.mileage > 1 } }
    #expect(throws: FlakyStorage.ReadFailure.self) { _ = try provider.object(with: 1) }
    storage.isFailing.store(0)
    #expect(provider.query.description == ownerships.description)
    try provider.deleteObject(with: 4)
    #expect(listener.reasons == [.reload, .change])
    #expect(listener.list == readOut(provider))
  }

  @Test func `asking for a row before the data, or for a wrong index title, names the mistake`()
    async
  {
    let early = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(.inMemory, entities: [Auto.self, Holder.self, Maker.self])
      _ = makeProvider(store).object(at: ListPath(section: 0, row: 0))
    }
    #expect(text(early).contains("call reloadData() first"))
    let title = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStorage.memory.makeShowroom()
      let provider = makeProvider(store)
      try provider.reloadData()
      _ = provider.section(forSectionIndexTitle: "B", at: 0)
    }
    #expect(text(title).contains("use sectionIndexTitles"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }

  @Test(arguments: TestStorage.allCases)
  func `131 to 134: after random requests, pauses and filters the screen has what is stored`(
    _ storage: TestStorage
  ) throws {
    for seed in 0..<(storage == .memory ? 40 : 5) {
      var random = SeededGenerator(seed: seed + 5000)
      let store = try storage.makeShowroom()
      let provider = makeProvider(store)
      let listener = ProviderListener(provider)
      try provider.reloadData()
      var isPaused = false
      for step in 0..<50 {
        let id = Int.random(in: 1...8, using: &random)
        let object = Ownership(
          id, ["Ann", "Bob", "Cid", "Dan"].randomElement(using: &random) ?? "",
          ["VW", "Fiat"].randomElement(using: &random) ?? "",
          ["A", "B", "C"].randomElement(using: &random) ?? "", Int.random(in: 0..<4, using: &random)
        )
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: try? provider.insertObject(by: object)
        case 3...5: try? provider.updateObject(with: id, by: object)
        case 6: try? provider.deleteObject(with: id)
        case 7: try provider.filter { $0.mileage >= object.mileage }
        case 8: try provider.reloadData()
        case 9: try provider.removeFilter()
        case 10:
          isPaused = true
          provider.pause()
        default:
          isPaused = false
          provider.resume()
        }
        #expect(listener.list == readOut(provider), "seed \(seed), step \(step)")
        if !isPaused {
          #expect(
            provider.objects?.map(\.id) == (try store.fetch(provider.query).map(\.id)),
            "seed \(seed), step \(step)")
        }
      }
    }
  }
}

private final class LoggingDelegate: FetchedDataDelegate {
  var lines: [String] = []

  func providerDidReloadData(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("reload \(source.objects?.count ?? -1)")
  }

  func providerDidFilterData(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("filter \(source.objects?.count ?? -1)")
  }

  func providerWillChangeContent(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("will \(source.objects?.count ?? -1)")
  }

  func provider(
    _ source: FetchedDataSnapshot<OwnershipMapping>, didChangeSectionAt position: Int?,
    for kind: ChangeKind, newPosition: Int?
  ) {
    lines.append("section \(text(position)) \(kind) \(text(newPosition))")
  }

  func provider(
    _ source: FetchedDataSnapshot<OwnershipMapping>, didChange object: Ownership?,
    at path: ListPath?, for kind: ChangeKind, newPath: ListPath?
  ) {
    lines.append("\(text(object?.id)) \(text(path)) \(kind) \(text(newPath))")
  }

  func providerDidChangeContent(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("did \(source.objects?.count ?? -1)")
  }

  private func text(_ value: (some CustomStringConvertible)?) -> String {
    value?.description ?? "nil"
  }
}

/// Maps objects to what a view shows, and is the view's data source.
@MainActor private final class Presenter: FetchedDataSource {
  private(set) var rows: [String] = []
  private var token: SubscriptionToken?
  private var source: FetchedDataSnapshot<OwnershipMapping>?

  func listen(_ provider: Provider) {
    token = provider.events.subscribe(on: .mainActor) { [weak self] event in
      if let self { event.tell(self) }
    }
  }

  private var mapped: MappedDataSource<FetchedDataSnapshot<OwnershipMapping>, String>? {
    source.map { MappedDataSource($0) { "\($0.owner): \($0.model)" } }
  }

  var objects: [String]? { mapped?.objects }
  func object(at path: ListPath) -> String? { mapped?.object(at: path) }
  func objectIDs(at path: ListPath) -> RelatedObjectIDs {
    mapped?.objectIDs(at: path) ?? { preconditionFailure("There are no data") }()
  }
  var numberOfSections: Int? { mapped?.numberOfSections }
  func numberOfRows(inSection section: Int) -> Int { mapped?.numberOfRows(inSection: section) ?? 0 }
  func sectionName(at section: Int) -> String? { mapped?.sectionName(at: section) }
  var sectionIndexTitles: [String] { mapped?.sectionIndexTitles ?? [] }
  func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    mapped?.section(forSectionIndexTitle: title, at: index) ?? 0
  }
}

extension Presenter: FetchedDataDelegate {
  func providerDidReloadData(_ source: FetchedDataSnapshot<OwnershipMapping>) { show(source) }
  func providerDidChangeContent(_ source: FetchedDataSnapshot<OwnershipMapping>) { show(source) }

  private func show(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    self.source = source
    rows = objects ?? []
  }
}

private actor ProviderDesk {
  private(set) var reasons: [ProviderEvent.Reason] = []
  private var token: SubscriptionToken?

  func listen(_ provider: Provider) {
    token = provider.events.subscribe(on: self) { me, event in me.reasons.append(event.reason) }
  }
}
