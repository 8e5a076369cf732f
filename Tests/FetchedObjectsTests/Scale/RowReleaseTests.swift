import EntityStore
import Dispatch
import FetchedObjects
import Locking
import Relays
import ListFixtures
import TestSupport
import Testing

private struct TaggedItem: Entity {
  let id: Int
  var tag: Mark
  static let attributes = Attributes(.id(\TaggedItem.id), .attribute("tag", \.tag))
  static let schema = Schema(attributes, TaggedItem.init)
}

/// R3: a row version may hold a user's object, which calls back when the last who holds the row goes.
@Suite struct RowReleaseTests {
  /// What the object of a row reads when it goes.
  private final class World: Sendable {
    private struct Weak: Sendable {
      weak var store: Store?
      weak var model: FetchedObjectsModel<TaggedItem>?
    }

    private let state = Locked(Weak())
    private let numbers = AtomicWord(0)
    /// What else is read; it keeps nothing of what it reads.
    let others = Locked<[@Sendable () -> Void]>([])
    let alive = Counter()

    func set(_ store: Store?, _ model: FetchedObjectsModel<TaggedItem>?) {
      state.withLock { $0 = Weak(store: store, model: model) }
    }

    func tag() -> Mark {
      alive.add()
      return Mark(numbers.add(1)) { [self] in
        alive.add(-1)
        let (store, model) = state.withLock { ($0.store, $0.model) }
        _ = try? store?.read { try $0.count(Query<TaggedItem>()) }
        _ = model?.snapshot.count
        for read in others.withLock({ $0 }) { read() }
      }
    }
  }

  private static let byTag = Query<TaggedItem>().sorted { [$0.tag.ascending] }

  private func expectFinishes(
    _ policy: DeliveryPolicy, _ name: String = #function,
    _ body: @escaping @Sendable (Store, World, FetchedObjectsModel<TaggedItem>) throws -> Void
  ) {
    let done = finishes {
      do {
        let store = try Store(.inMemory, entities: [TaggedItem.self])
        let world = World()
        try store.commit { draft in
          for id in 0..<20 { try draft.insert(TaggedItem(id: id, tag: world.tag())) }
        }
        var model: FetchedObjectsModel<TaggedItem>? = try FetchedObjectsModel(
          Self.byTag, in: store, policy: policy)
        world.set(store, model)
        if let model { try body(store, world, model) }
        #expect(world.alive.value == 20)
        model = nil
        #expect(world.alive.value == 20)
      } catch {
        Issue.record(error)
      }
    }
    #expect(done, "\(name): a row is freed under a lock")
  }

  private static func touch(_ store: Store, _ world: World, _ id: Int) throws {
    try store.commit { draft in try draft.update(TaggedItem.self, id) { $0.tag = world.tag() } }
  }

  @Test(arguments: [DeliveryPolicy.every, .coalesced])
  func `R3: a row is freed under no lock when a commit replaces it`(_ policy: DeliveryPolicy) {
    expectFinishes(policy) { store, world, model in
      for id in 0..<20 { try Self.touch(store, world, id) }
      let token = model.didChange.subscribe { _ in }
      for id in 0..<20 { try Self.touch(store, world, id) }
      token.cancel()
    }
  }

  @Test(arguments: [DeliveryPolicy.every, .coalesced])
  func `R3: nor when commits are merged, during a pause or a callback`(_ policy: DeliveryPolicy) {
    expectFinishes(policy) { store, world, model in
      model.pause()
      for id in 0..<20 { try Self.touch(store, world, id % 3) }
      model.resume()
      let isFirst = AtomicWord(1)
      let token = model.didChange.subscribe { _ in
        if isFirst.exchange(0) == 1 {
          for id in 0..<20 { try? Self.touch(store, world, id % 3) }
        }
      }
      try Self.touch(store, world, 1)
      token.cancel()
    }
  }

  @Test(arguments: [DeliveryPolicy.every, .coalesced])
  func `R3: nor when a pause begins in a callback, and all that waits is merged at its end`(
    _ policy: DeliveryPolicy
  ) {
    expectFinishes(policy) { store, world, model in
      let item = try ObservedEntity<TaggedItem>(1, in: store, policy: policy)
      world.others.withLock { $0 = [{ [weak item] in _ = item?.state }] }
      let isFirst = AtomicWord(1)
      let token = model.didChange.subscribe { _ in
        guard isFirst.exchange(0) == 1 else { return }
        for _ in 0..<5 { try? Self.touch(store, world, 1) }
        model.pause()
        item.pause()
      }
      try Self.touch(store, world, 1)
      model.resume()
      item.resume()
      token.cancel()
    }
  }

  @Test func `R3: nor with another query or window, or when a snapshot or model is released`() {
    expectFinishes(.every) { store, world, model in
      let other = Self.byTag.filter { $0.id > 5 }
      model.pause()
      for id in 0..<20 { try Self.touch(store, world, id) }
      try model.setQuery(other)
      try Self.touch(store, world, 10)
      try model.setQuery(other.limit(5))
      try model.setWindow(offset: 2, limit: 5)
      try Self.touch(store, world, 10)
      model.resume()
      var snapshot: ListSnapshot<EntityView<TaggedItem>>? = model.snapshot
      var twin: FetchedObjectsModel<TaggedItem>? = try FetchedObjectsModel(Self.byTag, in: store)
      twin?.pause()
      for id in 0..<20 { try Self.touch(store, world, id) }
      twin = nil
      #expect(snapshot?.count == 5)
      snapshot = nil
      #expect(twin == nil && snapshot == nil)
    }
  }

  @Test func `R3: nor by an observed object that is merged, paused or released`() {
    for policy in [DeliveryPolicy.every, .coalesced] {
      expectFinishes(policy) { store, world, model in
        var item: ObservedEntity<TaggedItem>? = try ObservedEntity(1, in: store, policy: policy)
        world.others.withLock { $0 = [{ [weak item] in _ = item?.state }] }
        for _ in 0..<3 { try Self.touch(store, world, 1) }
        item?.pause()
        for _ in 0..<3 { try Self.touch(store, world, 1) }
        item?.resume()
        item?.pause()
        for _ in 0..<3 { try Self.touch(store, world, 1) }
        item = nil
        #expect(item == nil)
      }
    }
  }

  @Test func `R3: nor by derived models`() {
    expectFinishes(.every) { store, world, model in
      let rows = model.filter { $0.id % 2 == 0 }
      let whole = rows.concatenated(with: model)
      world.others.withLock {
        $0 = [
          { [weak rows] in _ = rows?.snapshot.count },
          { [weak whole] in _ = whole?.snapshot.count },
        ]
      }
      for id in 0..<20 { try Self.touch(store, world, id) }
      model.pause()
      for id in 0..<20 { try Self.touch(store, world, id) }
      model.resume()
      #expect(whole.snapshot.count == 30)
    }
  }

  @Test
  func `Held snapshots hold the rows that differ between them once, and free them when they go`()
    throws
  {
    let store = try Store(.inMemory, entities: [TaggedItem.self])
    let world = World()
    let count = 500
    try store.commit { draft in
      for id in 0..<count { try draft.insert(TaggedItem(id: id, tag: world.tag())) }
    }
    let model = try FetchedObjectsModel(Self.byTag, in: store)
    var held: [ListSnapshot<EntityView<TaggedItem>>] = []
    for index in 0..<1000 {
      try Self.touch(store, world, index * 7 % count)
      held.append(model.snapshot)
    }
    // Each commit has made one version of one row; the last is in the store as well.
    #expect(world.alive.value == count + 999)
    held.removeFirst(500)
    #expect(world.alive.value == count + 499)
    held = []
    #expect(world.alive.value == count)
  }
}
