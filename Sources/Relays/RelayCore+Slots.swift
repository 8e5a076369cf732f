internal import Locking

/// The slots, which belong to whoever holds the gate.
extension RelayCore {
  /// Adds a subscriber in its turn, after its first value.
  func add(_ subscriber: Subscriber<Value>, first: Value?) {
    guard subscriber.isLive else { return }
    if let first { subscriber.receive(first) }
    guard subscriber.isLive else { return }
    if !link(subscriber) { subscriber.end?() }
  }

  /// Gives a subscriber a slot, unless the relay has ended.
  ///
  /// Runs nobody's code.
  func link(_ subscriber: Subscriber<Value>) -> Bool {
    if slots.pointee.isEnded { return false }
    if slots.pointee.count == slots.pointee.capacity { makeRoom() }
    subscriber.slot = slots.pointee.count
    slots.pointee.memory.advanced(by: subscriber.slot).initialize(to: .passRetained(subscriber))
    slots.pointee.count += 1
    return true
  }

  /// Empties a subscriber's slot and gives what was in it, for the caller to release.
  func unlink(_ subscriber: Subscriber<Value>) -> Slot {
    guard subscriber.slot >= 0 else { return nil }
    let slot = slots.pointee.memory[subscriber.slot]
    slots.pointee.memory[subscriber.slot] = nil
    subscriber.slot = -1
    slots.pointee.empty += 1
    if slots.pointee.empty > 16 && slots.pointee.empty * 2 > slots.pointee.count { compact() }
    return slot
  }

  private func makeRoom() {
    if slots.pointee.empty * 4 > slots.pointee.count { return compact() }
    let capacity = slots.pointee.capacity * 2
    let memory = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    memory.moveInitialize(from: slots.pointee.memory, count: slots.pointee.count)
    slots.pointee.memory.deallocate()
    slots.pointee.memory = memory
    slots.pointee.capacity = capacity
  }

  /// Closes the gaps, in order.
  private func compact() {
    var count = 0
    for index in 0..<slots.pointee.count {
      guard let slot = slots.pointee.memory[index] else { continue }
      slot._withUnsafeGuaranteedRef { $0.slot = count }
      slots.pointee.memory[count] = slot
      count += 1
    }
    slots.pointee.count = count
    slots.pointee.empty = 0
  }

  func endAll() {
    guard !slots.pointee.isEnded else { return }
    slots.pointee.isEnded = true
    for index in 0..<slots.pointee.count {
      guard let slot = slots.pointee.memory[index] else { continue }
      let subscriber = slot.takeRetainedValue()
      slots.pointee.memory[index] = nil
      subscriber.slot = -1
      if subscriber.isLive { subscriber.end?() }
    }
    slots.pointee.count = 0
    slots.pointee.empty = 0
  }
}
