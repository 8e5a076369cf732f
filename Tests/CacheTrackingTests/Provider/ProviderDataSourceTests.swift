import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import TestSupport
import Testing

/// What a provider answers a screen that asks.
@Suite struct ProviderDataSourceTests {
  @Test func `Before the first fetch there is nothing, and no query runs`()
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

  @Test(arguments: TestStorage.withServer)
  func `A provider answers what a screen asks`(_ storage: TestStorage) throws {
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
    try #require(sections.map(\.name) == ["Ann", "Bob", "Cid"])
    #expect(sections.map(\.indexTitle) == ["A", "B", "C"])
    #expect(sections.map(\.count) == [2, 1, 1])
    #expect(sections[0].objects.map(\.id) == [1, 2])
  }

  @Test func `An object's names come with those of the objects that it refers to`() throws {
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

  @Test func `Titles of an index come once, and lead to their first section`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    try provider.reloadData()
    try provider.insertObject(by: Ownership(5, "Alf", "VW", "Up"))
    #expect((0..<4).map { provider.sectionName(at: $0) } == ["Alf", "Ann", "Bob", "Cid"])
    #expect(provider.sectionIndexTitles == ["A", "B", "C"])
    #expect(provider.section(forSectionIndexTitle: "A", at: 0) == 0)
    #expect(provider.section(forSectionIndexTitle: "B", at: 1) == 2)
  }

  @Test func `Only cars with owner and maker, by owner and model`() throws {
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

  @Test func `Sections need not be what the objects are sorted by first (F4)`() throws {
    let provider = makeProvider(
      try TestStorage.memory.makeShowroom(), ownerships.sorted { [$0.mileage.descending] })
    try provider.reloadData()
    #expect(readOut(provider).map { $0.rows.map { $0?.id } } == [[1, 2], [3], [4]])
  }

  @Test func `Two owners of one name have sections of their own, titled alike`() throws {
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
}
