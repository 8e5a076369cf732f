@testable import EntityStore
import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `R4: a subscription to changes ends when it should` {
  private func makeStore() throws -> Store {
    try Store(.inMemory, entities: [Parcel.self, Owner.self])
  }

  /// Every kind of subscription.
  private func signals(_ store: Store) -> [Signal<EntityChanges<Owner>>] {
    [
      store.changes(of: Owner.self), store.changes(of: Owner.self, 1),
      store.changes(of: Owner.self) { $0.id == 1 },
      store.changes(of: Owner.self) { $0.id.in([1, 2]) },
      store.changes(of: Owner.self) { $0.id.in(0...5) },
      store.changes(of: Owner.self) { $0.name != "nobody" },
    ]
  }

  private func isEmpty(_ store: Store) -> Bool { store.registry.withLock { $0.isEmpty } }

  @Test func `R4: a token that is cancelled leaves nothing behind`() throws {
    let store = try makeStore()
    try LifetimeTracker.check { tracker in
      var tokens: [SubscriptionToken] = []
      for signal in signals(store) {
        tokens.append(signal.subscribe { [object = tracker.track()] _ in _ = object })
      }
      let sources = store.registry.withLock { $0.everybody().map(\.observer) }.map { Weak($0) }
      #expect(sources.count == 6)
      try store.commit { try $0.insert(Owner(id: 1)) }
      #expect(tracker.aliveCount == 6)
      for token in tokens { token.cancel() }
      // The tokens are still held; what they stood for isn't.
      #expect(tracker.aliveCount == 0)
      #expect(sources.allSatisfy { $0.object == nil })
      #expect(isEmpty(store))
      withExtendedLifetime(tokens) {}
    }
    try store.commit { try $0.insert(Owner(id: 2)) }
  }

  @Test func `R4: a token that is dropped ends its subscription`() throws {
    let store = try makeStore()
    let log = Log<String>()
    var tokens = signals(store).map { $0.subscribe { _ in log.note("told") } }
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(log.entries.count == 6)
    tokens = []
    try store.commit { try $0.update(Owner.self, 1) { $0.name = "Ann" } }
    #expect(log.entries.count == 6)
    #expect(isEmpty(store))
    _ = tokens
  }

  @Test func `R4: a token that is cancelled in its own callback is called no more`() throws {
    let store = try makeStore()
    let log = Log<String>()
    let held = Held()
    try LifetimeTracker.check { tracker in
      for (index, signal) in signals(store).enumerated() {
        let object = tracker.track()
        let token = signal.subscribe { _ in
          log.note("\(index)")
          held.cancel(index)
          _ = object
        }
        held.add(token)
      }
      try store.commit { try $0.insert(Owner(id: 1)) }
      try store.commit { try $0.update(Owner.self, 1) { $0.name = "Ann" } }
      #expect(log.entries == ["0", "1", "2", "3", "4", "5"])
      #expect(isEmpty(store))
    }
  }

  @Test func `R4: a token that an earlier callback cancels isn't called for that commit`() throws {
    let store = try makeStore()
    let log = Log<String>()
    let held = Held()
    let first = store.changes(of: Owner.self).subscribe { _ in held.cancelAll() }
    for (index, signal) in signals(store).enumerated() {
      held.add(signal.subscribe { _ in log.note("\(index)") })
    }
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(log.entries == [])
    first.cancel()
    #expect(isEmpty(store))
  }

  @Test func `R6: a token that is held doesn't keep the store`()
    throws
  {
    let tracker = LifetimeTracker()
    var store: Store? = try makeStore()
    weak let gone = store
    var tokens: [SubscriptionToken] = []
    var kept: [Signal<EntityChanges<Owner>>] = []
    for signal in store.map(signals) ?? [] {
      tokens.append(signal.subscribe { [object = tracker.track()] _ in _ = object })
      kept.append(signal)
    }
    try store?.commit { try $0.insert(Owner(id: 1)) }
    #expect(tracker.aliveCount == 6)
    store = nil
    #expect(gone == nil)
    // A signal that is left over leads nowhere.
    let late = kept.map { $0.subscribe { _ in Issue.record("The store is gone") } }
    for token in tokens + late { token.cancel() }
    #expect(tracker.aliveCount == 0)
  }

  @Test func `R6: a loop over changes ends when the store is released, after the last value`()
    async throws
  {
    var store: Store? = try makeStore()
    let loops = (store.map(signals) ?? []).map { signal in
      let values = signal.values()
      return Task {
        var versions: [Int64] = []
        for await changes in values { versions.append(changes.version) }
        return versions
      }
    }
    try store?.commit { try $0.insert(Owner(id: 1)) }
    try store?.commit { try $0.update(Owner.self, 1) { $0.name = "Ann" } }
    store = nil
    for loop in loops { #expect(await loop.value == [1, 2]) }
    // One that begins when the store has gone ends at once.
    let late = try { try makeStore().changes(of: Owner.self).values() }()
    for await _ in late { Issue.record("The store is gone") }
  }

  @Test func `R6: leaving a loop unsubscribes`() async throws {
    let store = try makeStore()
    let values = store.changes(of: Owner.self, 1).values()
    #expect(!isEmpty(store))
    try store.commit { try $0.insert(Owner(id: 1)) }
    for await changes in values {
      #expect(changes.inserted.map(\.id) == [1])
      break
    }
    #expect(await becomesTrue { self.isEmpty(store) })
    let loop = Task {
      for await _ in store.changes(of: Owner.self).values() {}
    }
    #expect(await becomesTrue { !self.isEmpty(store) })
    loop.cancel()
    await loop.value
    #expect(await becomesTrue { self.isEmpty(store) })
  }

  @Test func `R6: a store may be released while its own callback runs`() throws {
    let held = Locked<Store?>(nil)
    weak var gone: Store?
    let token: SubscriptionToken
    do {
      let store = try makeStore()
      gone = store
      held.withLock { $0 = store }
      token = store.changes(of: Owner.self).subscribe { _ in
        let last = held.withLock { held in
          defer { held = nil }
          return held
        }
        _ = last
      }
      try store.commit { try $0.insert(Owner(id: 1)) }
    }
    #expect(gone == nil)
    token.cancel()
  }
}

private final class Weak {
  weak var object: (any CommitObserver)?

  init(_ object: any CommitObserver) { self.object = object }
}

/// Tokens that callbacks reach.
final class Held: Sendable {
  private let tokens = Locked<[SubscriptionToken?]>([])

  func add(_ token: SubscriptionToken) { tokens.withLock { $0.append(token) } }

  func cancel(_ index: Int) { tokens.withLock { $0[index] }?.cancel() }

  func cancelAll() { for token in tokens.withLock({ $0 }) { token?.cancel() } }

  func drop() {
    let last = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    _ = last
  }
}
