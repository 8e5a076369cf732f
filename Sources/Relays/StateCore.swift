public import Locking

/// The core of a relay that has a current value.
///
/// Its gate may be released without the lock. While the relay lives, the gate is taken only under
/// the lock. So the order of the values is the order in which they were set.
@usableFromInline
final class StateCore<Value: Sendable>: FirstValueCore<Value>,
  @unchecked Sendable
{
  // @unchecked: the value at `current` is under `lock`, and `modifier` is atomic.

  /// The value outlives the relay, so that a signal of the relay still delivers a first value.
  ///
  /// It is released with the last signal. So a token that is kept holds no value.
  @exclusivity(unchecked) @usableFromInline var current: UnsafeMutablePointer<Value>

  /// The address in `current` when there is no value any more.
  private static var nowhere: UnsafeMutablePointer<Value>? {
    UnsafeMutablePointer(bitPattern: 1 << 6)
  }

  /// The thread that runs a body under the lock, or 0.
  @usableFromInline let modifier = AtomicWord(0)

  @usableFromInline init(_ value: Value) {
    current = .allocate(capacity: 1)
    current.initialize(to: value)
    // This lock isn't shared, because bodies run under it.
    super.init(lock: .allocate())
  }

  deinit {
    if current != Self.nowhere {
      current.deinitialize(count: 1)
      current.deallocate()
    }
    lock.deallocate()
  }

  /// Releases the value, when neither the relay nor a signal of it exists any more.
  final func forget() {
    guard let nowhere = Self.nowhere else { return }
    let last = lock.withLock {
      let last = current
      current = nowhere
      return last
    }
    last.deinitialize(count: 1)
    last.deallocate()
  }

  @inlinable var value: Value {
    checkIsFree()
    return lock.withLock { current.pointee }
  }

  /// Makes `value` the current one, sends it, and returns the previous one.
  ///
  /// `didChange` is called after the value is set and before it is delivered.
  @inlinable func exchange(_ value: Value, didChange: () -> Void) -> Value {
    checkIsFree()
    lock.lock()
    // The value is moved, so that none is released under the lock.
    let old = current.move()
    current.initialize(to: value)
    let turn = isUnheard ? Turn.elsewhere : takeTurn(value)
    lock.unlock()
    didChange()
    deliver(value, turn)
    // Without this, optimised code may release a discarded result as early as under the lock.
    withExtendedLifetime(old) {}
    return old
  }

  /// The result of checking whether releasing a value can run a user's code; under the lock.
  ///
  /// 1 if it can't, -1 if it may, and 0 before the check.
  @exclusivity(unchecked) private var plainness: Int8 = 0

  /// True if a value is changed in place, so that removed parts of it are released under the lock.
  @usableFromInline var isPlain: Bool {
    if plainness == 0 { plainness = holdsNoObjects(Value.self) ? 1 : -1 }
    return plainness > 0
  }

  /// Changes the value and sends it.
  ///
  /// The value is changed in place if the body can't throw and the value holds no objects.
  @inlinable func modify<Result, Failure: Error>(
    didChange: () -> Void, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    checkIsFree()
    lock.lock()
    beginModifying()
    if Failure.self == Never.self && (_isPOD(Value.self) || isPlain) {
      // No other thread can reach the value. No copy of it is held, so its storage isn't copied.
      let result = try body(&current.pointee)
      endModifying()
      let heard = isUnheard ? nil : current.pointee
      let turn = heard.map { takeTurn($0) }
      lock.unlock()
      didChange()
      if let heard, let turn { deliver(heard, turn) }
      // This is for a result that is discarded, as in `exchange`.
      withExtendedLifetime(result) {}
      return result
    }
    // Both values are held until the lock is released. So the one that isn't kept is released
    // outside the lock.
    let old = current.pointee
    var value = old
    defer { withExtendedLifetime((old, value)) {} }
    let result: Result
    do throws(Failure) {
      result = try body(&value)
    } catch {
      endModifying()
      lock.unlock()
      throw error
    }
    current.pointee = value
    endModifying()
    let turn = isUnheard ? Turn.elsewhere : takeTurn(value)
    lock.unlock()
    didChange()
    deliver(value, turn)
    withExtendedLifetime(result) {}
    return result
  }

  /// True if nobody is subscribed and nobody delivers, so that a value needs no delivery.
  @usableFromInline var isUnheard: Bool {
    gate.load() == 0 && fields.pointee.slots?.isEmpty ?? true
  }

  // MARK: The thread that modifies

  /// Notes that the calling thread runs a body under the lock.
  @usableFromInline func beginModifying() {
    modifier.store(CurrentThread.token)
    RunningModify.begin()
  }

  @usableFromInline func endModifying() {
    RunningModify.end()
    modifier.store(0)
  }

  /// Traps if the calling thread is inside a `modify` of this relay.
  ///
  /// Such a thread holds the lock, and would wait for itself.
  @inlinable override func checkIsFree() {
    let thread = modifier.loadRelaxed()
    if thread != 0 { checkIsElsewhere(thread) }
  }

  @usableFromInline func checkIsElsewhere(_ thread: Int) {
    // This isn't a precondition, because that prints no message in a release build.
    if thread == CurrentThread.token {
      fatalError(
        "A StateRelay is used inside its own modify; read and change the value through the parameter"
      )
    }
  }

  // MARK: First values

  override var first: Value? { current.pointee }
}
