internal import Locking

/// What callbacks noted, in order; threads share it.
public final class Log<Entry: Sendable>: Sendable {
  private let state = Locked<[Entry]>([])

  /// A log without entries.
  public init() {}

  /// Adds an entry.
  public func note(_ entry: Entry) { state.withLock { $0.append(entry) } }

  /// The entries so far, in order.
  public var entries: [Entry] { state.withLock { $0 } }

  /// Whether nothing has been noted.
  public var isEmpty: Bool { state.withLock { $0.isEmpty } }
}

/// A number that threads share.
public final class Counter: Sendable {
  private let word: AtomicWord

  /// A number to begin with.
  public init(_ value: Int = 0) { word = AtomicWord(value) }

  /// The number now.
  public var value: Int { word.load() }

  /// Adds a number to it, and gives the sum.
  @discardableResult public func add(_ number: Int = 1) -> Int { word.add(number) }

  /// Makes it another number.
  public func set(_ value: Int) { word.store(value) }
}

/// A variable that threads and callbacks share, such as the token of a subscription.
public final class Box<Value: Sendable>: Sendable {
  private let state: Locked<Value>

  /// A variable with a value to begin with.
  public init(_ value: Value) { state = Locked(value) }

  /// The value now.
  ///
  /// What a new one replaces is released when no lock is held.
  public var value: Value {
    get { state.withLock { $0 } }
    set { _ = take(leaving: newValue) }
  }

  /// Gives the value and leaves another one.
  public func take(leaving other: Value) -> Value {
    state.withLock { value in
      let old = value
      value = other
      return old
    }
  }
}
