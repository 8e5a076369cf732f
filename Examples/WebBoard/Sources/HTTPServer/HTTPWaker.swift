internal import Foundation
public import Relays

/// Wakes the clients of one feed when it has something new.
///
/// The thread that commits only leaves a note. The server's own thread wakes the clients.
public final class HTTPWaker: @unchecked Sendable {
  // @unchecked: the lock protects all variables.
  private let lock = NSLock()
  private var exchanges: [ObjectIdentifier: Exchange] = [:]
  private var hasNews = false
  private var token: SubscriptionToken?
  private let rounds: HTTPRounds

  /// Creates the waker of a feed.
  ///
  /// - Parameters:
  ///   - didChange: Has a value when the feed may have something new.
  ///   - rounds: Those of the server.
  public init(_ didChange: Signal<Void>, _ rounds: HTTPRounds) {
    self.rounds = rounds
    token = didChange.subscribe { [weak self] in self?.note() }
  }

  deinit { token?.cancel() }

  /// The number of clients that follow the feed.
  public var clientCount: Int { lock.withLock { exchanges.count } }

  private func note() {
    let isFirst = lock.withLock {
      defer { hasNews = true }
      return !hasNews
    }
    if isFirst { rounds.add(self) }
  }

  func add(_ exchange: Exchange) {
    lock.withLock { exchanges[ObjectIdentifier(exchange)] = exchange }
  }

  func remove(_ exchange: Exchange) {
    lock.withLock { exchanges[ObjectIdentifier(exchange)] = nil }
  }

  /// Wakes all clients.
  func wake() {
    let all = lock.withLock {
      hasNews = false
      return Array(exchanges.values)
    }
    for exchange in all { exchange.wake() }
  }
}

/// The rounds in which a server wakes clients, and looks for those that are late.
public final class HTTPRounds: @unchecked Sendable {
  // @unchecked: the condition's lock protects all variables.
  private let condition = NSCondition()
  private var waiting: [HTTPWaker] = []
  private var isOver = false
  private let pace: Duration

  /// Creates the rounds of a server with these options.
  public init(_ options: HTTPOptions = HTTPOptions()) { pace = options.pace }

  func add(_ waker: HTTPWaker) {
    condition.lock()
    if !isOver { waiting.append(waker) }
    condition.signal()
    condition.unlock()
  }

  /// Goes on until `end()`, on a thread of its own; `look` is called about once a second.
  func run(_ look: () -> Void) {
    var lastLook = ContinuousClock.now
    while true {
      condition.lock()
      if waiting.isEmpty && !isOver {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 1))
      }
      let wakers = waiting
      waiting = []
      let ends = isOver
      condition.unlock()
      if ends { return }
      for waker in wakers { waker.wake() }
      if ContinuousClock.now - lastLook > .seconds(1) {
        look()
        lastLook = ContinuousClock.now
      }
      // News of this time are the next round.
      if !wakers.isEmpty { Thread.sleep(forTimeInterval: pace / .seconds(1)) }
    }
  }

  func end() {
    condition.lock()
    isOver = true
    condition.signal()
    condition.unlock()
  }
}
