import Foundation

/// What subscribers add to.
///
/// One thread uses it.
final class Counter: @unchecked Sendable {
  var value = 0
}

/// A lock as one would use it without a library.
final class PlainLock: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(lock, nil) }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}

/// What one would write without a library: closures in an array under a lock, called outside it.
final class ClosureArray: @unchecked Sendable {
  private let lock = PlainLock()
  private var closures: [@Sendable (Int) -> Void] = []

  func add(_ closure: @escaping @Sendable (Int) -> Void) {
    lock.withLock { closures.append(closure) }
  }

  func send(_ value: Int) {
    for closure in lock.withLock({ closures }) { closure(value) }
  }
}

/// The same where each closure can be taken out again, by a number that grows.
final class TokenArray: @unchecked Sendable {
  private let lock = PlainLock()
  private var entries: [(token: Int, closure: @Sendable (Int) -> Void)] = []
  private var last = 0

  func add(_ closure: @escaping @Sendable (Int) -> Void) -> Int {
    lock.withLock {
      last += 1
      entries.append((last, closure))
      return last
    }
  }

  func remove(_ token: Int) {
    lock.withLock {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].token < token { low = middle + 1 } else { high = middle }
      }
      if low < entries.count && entries[low].token == token { entries.remove(at: low) }
    }
  }
}

/// A value under a lock.
final class LockedValue: @unchecked Sendable {
  private let lock = PlainLock()
  private var stored: Int

  init(_ value: Int) { stored = value }

  var value: Int {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}

/// An array under a lock, which is changed in place.
final class LockedArray: @unchecked Sendable {
  private let lock = PlainLock()
  private var stored: [Int]

  init(_ values: [Int]) { stored = values }

  @inline(__always)
  func modify(_ body: (inout [Int]) -> Void) { lock.withLock { body(&stored) } }
}

/// The latest values of two sources under a lock, with a closure that is called with both.
final class TwoSlots: @unchecked Sendable {
  private let lock = PlainLock()
  private var left: Int?
  private var right: Int? = 1
  var sink: (Int, Int) -> Void = { _, _ in }

  func setLeft(_ value: Int) {
    let both = lock.withLock { () -> (Int, Int)? in
      left = value
      return right.map { (value, $0) }
    }
    if let both { sink(both.0, both.1) }
  }
}
