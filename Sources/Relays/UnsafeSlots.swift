/// The slots of a relay's subscriptions, in order, in one block of memory.
///
/// A cancelled subscription leaves its slot empty. The gaps are closed when half of the slots are
/// empty. This struct holds only the address of the block. It belongs to the thread that holds the
/// relay's gate.
@usableFromInline struct UnsafeSlots {
  @usableFromInline typealias Slot = Unmanaged<Subscription>?

  @usableFromInline struct Header {
    @usableFromInline var count: Int32 = 0
    var capacity: Int32
    var empty: Int32 = 0
  }

  private static let headerSize = 16

  @usableFromInline let header: UnsafeMutablePointer<Header>

  init(capacity: Int) {
    let size = Self.headerSize + capacity * MemoryLayout<Slot>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    header = block.bindMemory(to: Header.self, capacity: 1)
    header.initialize(to: Header(capacity: Int32(capacity)))
    _ = (block + Self.headerSize).bindMemory(to: Slot.self, capacity: capacity)
  }

  func deallocate() { UnsafeMutableRawPointer(header).deallocate() }

  /// The number of slots that have been given out, including the empty ones.
  @inlinable var count: Int { Int(header.pointee.count) }

  /// True if no subscription has a slot.
  var isEmpty: Bool { header.pointee.empty == header.pointee.count }

  @inlinable var memory: UnsafeMutablePointer<Slot> {
    (UnsafeMutableRawPointer(header) + 16).assumingMemoryBound(to: Slot.self)
  }

  /// Gives `subscription` the last slot; the slot holds it.
  ///
  /// - Returns: The block to use from now on, which is a new one if there was no room.
  func appending(_ subscription: Unmanaged<Subscription>) -> UnsafeSlots {
    let slots = header.pointee.count == header.pointee.capacity ? withRoom() : self
    let index = slots.count
    subscription._withUnsafeGuaranteedRef { $0.slot = index }
    slots.memory.advanced(by: index).initialize(to: subscription)
    slots.header.pointee.count += 1
    return slots
  }

  /// Empties the slot of `subscription` and returns its content, for the caller to release.
  func remove(_ subscription: Unmanaged<Subscription>) -> Slot {
    let index = subscription._withUnsafeGuaranteedRef { $0.slot }
    guard index >= 0 else { return nil }
    let slot = memory[index]
    memory[index] = nil
    subscription._withUnsafeGuaranteedRef { $0.slot = -1 }
    header.pointee.empty += 1
    if index + 1 == count {
      // The last slot is used again at once.
      header.pointee.count -= 1
      header.pointee.empty -= 1
    }
    // A slot less may also be the one that leaves the gaps in the majority.
    if header.pointee.empty > 16 && header.pointee.empty * 2 > header.pointee.count { compact() }
    return slot
  }

  /// Empties all slots and returns their contents, in order.
  func removeAll() -> [Unmanaged<Subscription>] {
    var all: [Unmanaged<Subscription>] = []
    for index in 0..<count {
      guard let slot = memory[index] else { continue }
      slot._withUnsafeGuaranteedRef { $0.slot = -1 }
      all.append(slot)
    }
    header.pointee.count = 0
    header.pointee.empty = 0
    return all
  }

  private func withRoom() -> UnsafeSlots {
    if header.pointee.empty * 4 > header.pointee.count {
      compact()
      return self
    }
    // The blocks have 48, 80, 144 … bytes, as allocators have them.
    let slots = UnsafeSlots(capacity: Int(header.pointee.capacity) * 2 + 1)
    slots.memory.moveInitialize(from: memory, count: count)
    slots.header.pointee.count = header.pointee.count
    slots.header.pointee.empty = header.pointee.empty
    deallocate()
    return slots
  }

  /// Closes the gaps, in order.
  private func compact() {
    var kept = 0
    for index in 0..<count {
      guard let slot = memory[index] else { continue }
      slot._withUnsafeGuaranteedRef { $0.slot = kept }
      memory[kept] = slot
      kept += 1
    }
    header.pointee.count = Int32(kept)
    header.pointee.empty = 0
  }
}
