import Locking

/// What callbacks noted, in order; threads share it.
final class Log<Entry: Sendable>: Sendable {
  private let state = Locked<[Entry]>([])

  func note(_ entry: Entry) { state.withLock { $0.append(entry) } }

  var entries: [Entry] { state.withLock { $0 } }

  var isEmpty: Bool { state.withLock { $0.isEmpty } }
}

/// A number that threads share.
final class Counter: Sendable {
  private let word: AtomicWord

  init(_ value: Int = 0) { word = AtomicWord(value) }

  var value: Int { word.load() }

  @discardableResult func add(_ number: Int = 1) -> Int { word.add(number) }

  func set(_ value: Int) { word.store(value) }
}

/// Tokens that a callback can reach.
final class Tokens: Sendable {
  private let state = Locked<[SubscriptionTokenBox]>([])

  struct SubscriptionTokenBox: Sendable {
    var cancel: @Sendable () -> Void
    var token: any Sendable
  }
}
