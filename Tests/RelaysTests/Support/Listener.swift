import Relays
import TestSupport

/// What a subscription is told: the values, and how often that no more can come.
///
///     let listener = Listener(relay.prefix(2))
///     relay.send(1)
///     #expect(listener.values == [1])
///     #expect(!listener.hasEnded)
final class Listener<Value: Sendable>: Sendable {
  private let log = Log<Value>()
  private let ends = Counter()
  private let late = Counter()
  private let token = Box<SubscriptionToken?>(nil)

  /// Subscribes to `signal`, and calls `body` with each value.
  init(_ signal: Signal<Value>, _ body: @escaping @Sendable (Value) -> Void = { _ in }) {
    let (log, ends, late) = (log, ends, late)
    // The end is told to loops and to operators alone.
    let noting = signal.print(to: { if $0 == "receive finished" { ends.add() } })
    token.value = noting.subscribe { value in
      if ends.value > 0 { late.add() }
      log.note(value)
      body(value)
    }
  }

  var values: [Value] { log.entries }

  var hasEnded: Bool { ends.value > 0 }

  /// Whether there was at most one end, and no value after it.
  var isProper: Bool { ends.value <= 1 && late.value == 0 }

  func cancel() { token.value?.cancel() }
}

/// A publisher for tests, which can be told to go.
struct Source: Sendable {
  private let relay: Box<Relay<Int>?>
  private let state: Box<StateRelay<Int>?>
  let signal: Signal<Int>

  /// A relay.
  init() {
    let made = Relay<Int>()
    signal = made.signal
    relay = Box(made)
    state = Box(nil)
  }

  /// A state relay.
  init(_ value: Int) {
    let made = StateRelay(value)
    signal = made.signal
    relay = Box(nil)
    state = Box(made)
  }

  func send(_ value: Int) {
    relay.value?.send(value)
    state.value?.send(value)
  }

  func go() {
    relay.value = nil
    state.value = nil
  }

  /// Whether it is a relay that somebody is subscribed to.
  var hasSubscribers: Bool { relay.value?.hasSubscribers ?? false }
}
