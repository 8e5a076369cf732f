@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Locking
import TestSupport
import Testing

@testable import SignalboxUI

@MainActor @Suite struct ObservedStateTests {
  private let store: Store
  private let state = ObservedState<Car>()

  init() throws {
    store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      for id in 1...2 {
        try draft.insert(Car(id: id, model: "m\(id)", year: 2000 + id, owner: Ref(ann)))
      }
    }
  }

  @Test func `F8: the object is there at once, and follows commits`() throws {
    #expect(state.view == nil && !state.isDeleted)
    state.show(1, in: store)
    #expect(state.view?.year == 2001)
    let redraws = drawing { _ = state.view }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1990 } }
    #expect(redraws.value == 1 && state.view?.year == 1990)
  }

  @Test func `F8: an id that is NaN is the same at each drawing, and that of no object`() throws {
    struct Town: Entity {
      let id: Double
      static let attributes = Attributes(.id(\Town.id))
      static let schema = Schema(attributes, Town.init)
    }
    let store = try Store(.inMemory, entities: [Town.self])
    let state = ObservedState<Town>()
    state.show(.nan, in: store)
    let redraws = drawing { _ = state.view }
    state.show(.nan, in: store)
    #expect(redraws.value == 0 && state.view == nil)
    state.show(1, in: store)
    #expect(redraws.value == 1)
    try store.commit { try $0.insert(Town(id: 1)) }
    #expect(state.view != nil)
  }

  @Test func `S1: what is set is committed, and an equal value isn't`() throws {
    state.show(1, in: store)
    let versions = try store.version
    state[\.year] = 1985
    #expect(try store.find(Car.self, 1)?.year == 1985)
    #expect(try store.version == versions + 1)
    state[\.year] = 1985
    #expect(try store.version == versions + 1)
    #expect(state[\.year] == 1985 && state.error == nil)
  }

  @Test func `S9: what is set under a name can be undone`() throws {
    store.historyLimit = 10
    state.show(1, in: store)
    state[\.year, named: "Make it older"] = 1950
    #expect(store.undoNames == ["Make it older"] && state[\.year, named: nil] == 1950)
    try store.undo()
    #expect(state[\.year] == 2001)
    state[\.year] = 1951
    #expect(store.undoNames.isEmpty)
  }

  @Test func `S1: a change that is refused changes nothing, says why, and the next one clears it`()
    throws
  {
    struct Refusal: Error {}
    state.show(1, in: store)
    let redraws = drawing { _ = state.error }
    state.update { car in
      car.year = 1
      throw Refusal()
    }
    #expect(redraws.value == 1 && state.error is Refusal && state.view?.year == 2001)
    state[\.year] = 1970
    #expect(state.error == nil && state.view?.year == 1970)
  }

  @Test func `F8: a deleted object is nil, keeps its last values for bindings, and can't be set`()
    throws
  {
    state.show(1, in: store)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(state.view == nil && state.isDeleted && state[\.year] == 2001)
    state[\.year] = 5
    #expect(state[\.year] == 2001)
    guard case StoreError.notFound? = state.error as? StoreError else {
      recordIssue("\(String(describing: state.error))")
      return
    }
    try store.commit { try $0.insert(Car(id: 1, model: "again", year: 3, owner: nil)) }
    #expect(state.view?.year == 3 && !state.isDeleted)
  }

  @Test func `F8: it follows another id and another store, and waits for one that comes`() throws {
    state.show(1, in: store)
    state.show(2, in: store)
    #expect(state.view?.model == "m2")
    state.show(7, in: store)
    #expect(state.view == nil && state.error == nil)
    try store.commit { try $0.insert(Car(id: 7, model: "late", year: 1, owner: nil)) }
    #expect(state.view?.model == "late")
    let other = try TestStorage.memory.makeGarage()
    state.show(7, in: other)
    #expect(state.view == nil)
  }

  @Test func `S8: ids whose texts have other bytes are those of other objects`() throws {
    let store = try Store(.inMemory, entities: [Place.self])
    let (one, two) = ("\u{E9}", "e\u{301}")
    try store.commit { draft in
      try draft.insert(Place(id: one, visits: 1))
      try draft.insert(Place(id: two, visits: 2))
    }
    let state = ObservedState<Place>()
    state.show(one, in: store)
    let redraws = drawing { _ = state.view }
    state.show(two, in: store)
    #expect(redraws.value == 1 && state.view?.visits == 2)
    state[\.visits] = 3
    #expect(try store.find(Place.self, one)?.visits == 1)
    #expect(try store.find(Place.self, two)?.visits == 3)
  }

  @Test func `F5: values that are included are followed, too`() throws {
    state.show(1, in: store) { $0.owner.name }
    #expect(state.view?.owner?.name == ann.name)
    let redraws = drawing { _ = state.view }
    try store.commit { try $0.update(Person.self, ann.id) { $0.name = "Eva" } }
    #expect(redraws.value == 1 && state.view?.owner?.name == "Eva")
  }

  @Test func `S6: without a store a change has no effect, and reading an attribute traps`() async {
    state.show(1, in: nil)
    state.update { $0.year = 1 }
    #expect(state.error is MissingStore)
    await #expect(processExitsWith: .failure) { @MainActor in
      let state = ObservedState<Car>()
      state.show(1, in: nil)
      _ = state[\.year]
    }
  }

  @Test func `A change before an object is shown traps with a message that says so`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      ObservedState<Car>().update { $0.year = 1 }
    }
    let message = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(message.contains("before it shows one; call show(_:in:) first"))
  }

  @Test func `F8: a reader is notified when another object is shown, and when the first one comes`()
    throws
  {
    var redraws = drawing { _ = (state.view, state.error) }
    state.show(1, in: store)
    #expect(redraws.value == 1)
    redraws = drawing { _ = state.isDeleted }
    state.show(1, in: store)
    #expect(redraws.value == 0)
    state.show(2, in: store)
    #expect(redraws.value == 1)
  }

  @Test func `F8: a binding of a view that goes keeps the last object's values`() throws {
    state.show(1, in: store)
    state.show(77, in: store)
    #expect(state.view == nil && state[\.year] == 2001)
    state[\.year] = 3
    #expect(state.error is StoreError && state[\.year] == 2001)
    state.show(1, in: nil)
    #expect(state[\.year] == 2001)
    #expect(try store.find(Car.self, 1)?.year == 2001)
  }

  @Test func `F11: an object that a commit has deleted unread is known to be deleted`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    state.show(1, in: store) { $0.owner.name }
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { ($0.year, $0.owner) = (1950, Ref(2)) } }
    let year = state[\.year]
    storage.isFailing.store(2)
    try store.commit { try $0.delete(Car.self, 1) }
    storage.isFailing.store(0)
    state.retry()
    #expect(state.view == nil && state.isDeleted && state.error == nil)
    #expect(state[\.year] == year)
  }

  @Test func `F11: a late binding of another object leaves the error of the one that is shown`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    state.show(1, in: store)
    let bound = state.bound
    storage.isFailing.store(2)
    state.show(2, in: store)
    #expect(state.view == nil && state.error != nil)
    state[\.year, named: nil, of: bound] = 1950
    #expect(state.error != nil)
    storage.isFailing.store(0)
    try store.commit { try $0.insert(Car(id: 90, model: "x", year: 1, owner: nil)) }
    #expect(state.view?.id == 2 && state.error == nil)
    state[\.year, named: nil, of: bound] = 1951
    #expect(try store.find(Car.self, 1)?.year == 1951)
  }

  @Test func `R3: an error that is replaced may use the state when it goes`() {
    state.show(1, in: store)
    let calls = Counter()
    state.update { [state] _ in
      throw CallingError {
        calls.add()
        MainActor.assumeIsolated { _ = state.error }
      }
    }
    #expect(state.error is CallingError)
    state.update { $0.year = 1950 }
    #expect(state.error == nil && state.view?.year == 1950 && calls.value == 1)
  }
}
