@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Locking
import SignalboxUI
import TestSupport
import Testing

/// A state behind a property wrapper, with a number for what it shows.
@MainActor protocol ShownState {
  var content: Int? { get }
  var error: (any Error)? { get }
  func show(in store: Store?)
  func retry()
}

extension FetchedState: ShownState where E == Car {
  var content: Int? { list.isEmpty ? nil : list.count }
  func show(in store: Store?) {
    show(Query<Car>().sorted { [$0.owner.name.ascending, $0.id.ascending] }, in: store)
  }
}

extension ObservedState: ShownState where E == Car {
  var content: Int? { view?.year }
  func show(in store: Store?) { show(1, in: store) { $0.owner.name } }
}

extension FetchedValueState: ShownState where Value == Int {
  var content: Int? { value }
  func show(in store: Store?) { show(for: 0, in: store) { try $0.fetch(Query<Car>()).count } }
}

enum StateKind: CaseIterable {
  case list, object, value

  @MainActor func make() -> any ShownState {
    switch self {
    case .list: FetchedState<Car>()
    case .object: ObservedState<Car>()
    case .value: FetchedValueState<Int>()
    }
  }
}

@MainActor @Suite struct `Lists, objects and values of views share one law` {
  private let storage = FlakyStorage()
  private let store: Store

  init() throws {
    store = try Store(.custom { [storage] in storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
  }

  /// Makes a commit that adds 1 to the number of each state.
  private func change() throws {
    try store.commit { draft in
      try draft.update(Car.self, 1) { ($0.year, $0.owner) = ($0.year + 1, Ref(bob)) }
      let id = try draft.nextID(Car.self)
      try draft.insert(Car(id: id, model: "new", year: 1, owner: Ref(ann)))
    }
  }

  /// Shows something that couldn't follow a commit, in a store that can't be read any more.
  ///
  /// - Returns: the state, and the number before the commit.
  private func showStale(_ kind: StateKind) throws -> (any ShownState, Int) {
    let state = kind.make()
    state.show(in: store)
    let before = try #require(state.content)
    storage.isFailing.store(kind == .value ? 3 : 1)
    try change()
    #expect(state.error != nil && state.content == before)
    storage.isFailing.store(2)
    state.retry()
    #expect(state.error != nil && state.content == before)
    return (state, before)
  }

  @Test(arguments: StateKind.allCases)
  func `S6: without a store nothing is shown, and the error says why`(_ kind: StateKind) {
    let state = kind.make()
    state.show(in: nil)
    #expect(state.content == nil && state.error is MissingStore)
    #expect("\(MissingStore())".contains(".store(store)"))
    state.show(in: store)
    #expect(state.content != nil && state.error == nil)
    state.show(in: nil)
    #expect(state.content == nil && state.error is MissingStore)
  }

  @Test(arguments: StateKind.allCases)
  func `F11: what couldn't follow a commit is read again by a try`(_ kind: StateKind) throws {
    let (state, before) = try showStale(kind)
    storage.isFailing.store(0)
    let redraws = drawing { _ = state.content }
    state.retry()
    #expect(redraws.value == 1 && state.error == nil && state.content == before + 1)
  }

  @Test(arguments: StateKind.allCases)
  func `F11: after a try that fails, too, a commit clears the error`(_ kind: StateKind) throws {
    let (state, before) = try showStale(kind)
    storage.isFailing.store(0)
    try change()
    #expect(state.error == nil && state.content == before + 2)
  }

  @Test(arguments: StateKind.allCases)
  func `F6, F11: what can't be read at first is read by a later try`(_ kind: StateKind) {
    let state = kind.make()
    storage.isFailing.store(2)
    state.show(in: store)
    #expect(state.error is FlakyStorage.ReadFailure && state.content == nil)
    state.retry()
    #expect(state.error is FlakyStorage.ReadFailure)
    storage.isFailing.store(0)
    state.retry()
    #expect(state.error == nil && state.content == (kind == .object ? 1994 : 4))
  }

  @Test(arguments: StateKind.allCases)
  func `F11: what can't be read at first is read after each commit`(_ kind: StateKind) throws {
    let state = kind.make()
    storage.isFailing.store(2)
    state.show(in: store)
    var redraws = drawing { _ = (state.content, state.error) }
    try change()
    #expect(redraws.value == 0)
    #expect(state.error is FlakyStorage.ReadFailure && state.content == nil)
    storage.isFailing.store(0)
    redraws = drawing { _ = (state.content, state.error) }
    try change()
    #expect(redraws.value == 1 && state.error == nil)
    #expect(state.content == (kind == .object ? 1996 : 6))
    // From here on it follows.
    redraws = drawing { _ = state.content }
    try change()
    #expect(redraws.value == 1 && state.content == (kind == .object ? 1997 : 7))
  }
}
