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

/// A variable that threads and callbacks share, such as the token of a subscription.
final class Box<Value: Sendable>: Sendable {
  private let state: Locked<Value>

  init(_ value: Value) { state = Locked(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { _ = take(leaving: newValue) }
  }

  /// Gives the value and leaves another one.
  func take(leaving other: Value) -> Value {
    state.withLock { value in
      let old = value
      value = other
      return old
    }
  }
}
