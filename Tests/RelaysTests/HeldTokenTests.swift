import Locking
import TestSupport
import Testing

@testable import Relays

@Suite(.timeLimit(.minutes(20))) struct `Held tokens` {
  private static let forms: [(String, @Sendable (Signal<Item>) -> Signal<Item>)] = [
    ("signal", { $0 }), ("map", { $0.map { $0 } }), ("filter", { $0.filter { _ in true } }),
    ("compactMap", { $0.compactMap { $0 } }), ("dropFirst", { $0.dropFirst(0) }),
    ("scan", { $0.scan(Item()) { $1 } }),
    ("removeDuplicates", { $0.removeDuplicates { $0 === $1 } }), ("prefix", { $0.prefix(9) }),
    ("share", { $0.share() }), ("print", { $0.print(to: { _ in }) }),
    ("merge", { $0.merge(with: Relay<Item>()) }),
    ("combineLatest", { signal in combineLatest(signal, StateRelay(0)).map { $0.0 } }),
    ("withLatest", { $0.withLatest(from: StateRelay(0)).map { $0.0 } }),
    ("debounce", { $0.debounce(for: .seconds(1)) }),
  ]

  @Test(arguments: 0..<14)
  func `R7 A cancelled token keeps nothing of a state relay that is deallocated`(_ index: Int) {
    let (name, form) = Self.forms[index]
    weak var item: Item?
    let token: SubscriptionToken
    do {
      let first = Item()
      item = first
      let relay = StateRelay(first)
      token = form(relay.signal).subscribe { _ in }
      token.cancel()
    }
    #expect(item == nil, "\(name)")
    withExtendedLifetime(token) {}
  }

  @Test(arguments: 0..<14)
  func `R6 What a callback captures is released with the relay`(_ index: Int) {
    let (name, form) = Self.forms[index]
    weak var item: Item?
    let token: SubscriptionToken
    do {
      let captured = Item()
      item = captured
      let relay = Relay<Item>()
      token = form(relay.signal).subscribe { _ in withExtendedLifetime(captured) {} }
    }
    // Those that have another publisher, which is deallocated before, have ended as well.
    #expect(item == nil, "\(name)")
    withExtendedLifetime(token) {}
  }

  @Test @MainActor func `R6 What a hopping callback captures is released with the relay`() {
    weak var item: Item?
    let bag = SubscriptionBag()
    do {
      let captured = Item()
      item = captured
      let relay = StateRelay(0)
      relay.subscribe(on: .mainActor) { _ in withExtendedLifetime(captured) {} }.store(in: bag)
      relay.subscribe { _ in withExtendedLifetime(captured) {} }.store(in: bag)
    }
    #expect(item == nil)
    bag.cancel()
  }

  @Test func `R6 A signal of a state relay gives the last value to a later subscriber`() {
    var relay: StateRelay<Int>? = StateRelay(1)
    let signal = relay?.signal
    relay?.value = 2
    relay = nil
    let log = Log<Int>()
    let token = signal?.subscribe { log.note($0) }
    #expect(log.entries == [2])
    withExtendedLifetime(token) {}
  }

  @Test @MainActor func `F13 Inside the body of a commit no hop is called straight`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.subscribe(on: .mainActor) { log.note($0) }
    DeferredDeliveries.begin()
    relay.send(1)
    #expect(log.isEmpty)
    DeferredDeliveries.end()
    #expect(log.entries == [1])
    token.cancel()
  }

  @Test func `R5 A modify changes the value in place, also with a subscriber`() {
    let relay = StateRelay([Int](repeating: 0, count: 1000))
    let counts = Counter()
    let token = relay.subscribe { counts.add($0.count) }
    let address = relay.modify { $0.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
    for index in 0..<10 {
      let now = relay.modify { array in
        array[index] = 1
        return array.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
      }
      #expect(now == address)
    }
    token.cancel()
  }

  @Test func `R3 What a modify takes out is released when it has ended, and may use the relay`() {
    let relay = StateRelay<[AtEnd]>([])
    let log = Log<Int>()
    let box = Box<SubscriptionToken?>(relay.subscribe { log.note($0.count) })
    let farewell: @Sendable () -> Void = { [weak relay] in
      // Each of these traps inside of the modify.
      box.value?.cancel()
      log.note(relay.map { 100 + $0.value.count } ?? -1)
    }
    relay.value = [AtEnd(farewell)]
    relay.modify { $0.removeLast() }
    #expect(log.entries == [0, 1, 0, 100])
    let pair = StateRelay((1, [AtEnd { log.note(200) }]))
    pair.modify { pair in pair = (2, []) }
    #expect(log.entries.last == 200)
  }

  @Test func `R3 What a modify drops is released when the body has ended`() {
    let isInside = Counter()
    let log = Log<Int>()
    let farewell: @Sendable () -> Void = { log.note(isInside.value) }
    func change<Value: Sendable>(_ value: consuming Value, _ body: (inout Value) -> Void) {
      let relay = StateRelay(value)
      // The relay alone has it now.
      relay.modify { value in
        isInside.set(1)
        body(&value)
        isInside.set(0)
      }
    }
    change([AtEnd(farewell), AtEnd(farewell)]) { $0 = [] }
    change([AtEnd(farewell)]) { $0[0] = AtEnd {} }
    change(AtEnd(farewell) as AtEnd?) { $0 = nil }
    change([1: [AtEnd(farewell)]]) { $0[1] = nil }
    change((1, AtEnd(farewell))) { $0 = (2, AtEnd {}) }
    #expect(log.entries == [0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: [0, 1])
  func `R5 A modify of texts or of tables of numbers is in place`(_ kind: Int) {
    func address(_ array: [String]) -> Int {
      array.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
    if kind == 0 {
      let relay = StateRelay([String](repeating: "a text that is long", count: 100))
      let before = relay.modify { address($0) }
      let after = relay.modify { texts in
        texts[50] = "another"
        return address(texts)
      }
      #expect(before == after)
    } else {
      #expect(holdsNoObjects([Int: [String?]].self))
      #expect(holdsNoObjects(Set<Int>?.self))
      #expect(!holdsNoObjects([Int: [AtEnd]].self))
      #expect(!holdsNoObjects(Item?.self))
      #expect(!holdsNoObjects((@Sendable () -> Void).self))
      #expect(!holdsNoObjects([any Sendable].self))
    }
  }

  @Test func `R6 A token that outlives its relay can be cancelled, and counts no more`() {
    let log = Log<Int>()
    let tokens: [SubscriptionToken]
    do {
      let relay = Relay<Int>()
      tokens = (0..<3).map { number in relay.subscribe { log.note($0 + number) } }
      tokens[1].cancel()
      relay.send(1)
    }
    for token in tokens {
      #expect(!token.isActive)
      token.cancel()
      token.cancel()
    }
    #expect(log.entries == [1, 3])
  }

  @Test func `R6 Tokens may be cancelled and dropped while their relay ends`() {
    let count = rounds(2_000)
    for _ in 0..<count {
      let tracker = LifetimeTracker()
      let relay = Box<Relay<Int>?>(Relay())
      let tokens = Box<[SubscriptionToken]>([])
      for _ in 0..<4 {
        let captured = tracker.track()
        let token = relay.value?.subscribe { _ in withExtendedLifetime(captured) {} }
        if let token { tokens.value.append(token) }
      }
      onThreads(2) { thread in
        if thread == 0 {
          relay.value = nil
        } else {
          tokens.value.first?.cancel()
          tokens.value = []
        }
      }
      guard tracker.aliveCount == 0 else {
        Issue.record("\(tracker.aliveCount) captures are left")
        return
      }
    }
    tried(count, "ends of a relay beside cancels")
  }
}

/// Something whose end can be seen.
final class Item: Sendable {}
