/// The places of a relay's subscriptions, in order, in one block of memory.
///
/// A cancelled subscription leaves its place empty; the gaps are closed when they are half of all.
/// It is passed around as the address of the block, and belongs to whoever holds the relay's gate.
@usableFromInline struct UnsafeSlots {
  @usableFromInline typealias Slot = Unmanaged<Subscription>?

  @usableFromInline struct Header {
    @usableFromInline var count: Int32 = 0
    var capacity: Int32
    var empty: Int32 = 0
  }

  private static let headerSize = 16

  @usableFromInline let header: UnsafeMutablePointer<Header>

  /// An empty block with room for `capacity`.
  init(capacity: Int) {
    let size = Self.headerSize + capacity * MemoryLayout<Slot>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    header = block.bindMemory(to: Header.self, capacity: 1)
    header.initialize(to: Header(capacity: Int32(capacity)))
    _ = (block + Self.headerSize).bindMemory(to: Slot.self, capacity: capacity)
  }

  func deallocate() { UnsafeMutableRawPointer(header).deallocate() }

  /// How many slots have been given out, with the empty ones.
  @inlinable var count: Int { Int(header.pointee.count) }

  /// Whether anyone has a slot.
  var isEmpty: Bool { header.pointee.empty == header.pointee.count }

  @inlinable var memory: UnsafeMutablePointer<Slot> {
    (UnsafeMutableRawPointer(header) + 16).assumingMemoryBound(to: Slot.self)
  }

  /// Gives `subscription` the last slot; the slot holds it.
  ///
  /// - Returns: the block to go on with, which is another one if there was no room.
  func appending(_ subscription: Unmanaged<Subscription>) -> UnsafeSlots {
    let slots = header.pointee.count == header.pointee.capacity ? withRoom() : self
    let index = slots.count
    subscription._withUnsafeGuaranteedRef { $0.slot = index }
    slots.memory.advanced(by: index).initialize(to: subscription)
    slots.header.pointee.count += 1
    return slots
  }

  /// Empties the slot of `subscription` and gives what was in it, for the caller to release.
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
    } else if header.pointee.empty > 16 && header.pointee.empty * 2 > header.pointee.count {
      compact()
    }
    return slot
  }

  /// Empties all slots and gives what was in them, in order.
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
    // Blocks of 48, 80, 144 … bytes, as allocators have them.
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
