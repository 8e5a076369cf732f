/// A commit in memory: a copy of the last version that is changed and then replaces it.
///
/// There is a faster way for a small commit that nobody reads before it is published. Its few
/// changes are applied to the last version itself, unless a table has to be enlarged for them.
final class MemoryTransaction: MemoryReader, StorageTransaction {
  /// True if changes were applied to the copy, so that slots were taken and given back.
  @exclusivity(unchecked) private var hasTakenSlots = false
  @exclusivity(unchecked) private var number: Int64

  override init(_ memory: MemoryVersion, in storage: InMemoryStorage) {
    number = memory.number
    super.init(memory, in: storage)
  }

  override var version: Int64 { number }

  override func applyWaiting() {
    guard let changes = waiting else { return }
    waiting = nil
    hasTakenSlots = true
    storage.apply(changes, to: &memory)
  }

  func apply(_ changes: NetChanges) throws {
    waiting = changes
    number += 1
    if changes.count > 100 { applyWaiting() }
  }

  func commit() throws {
    // Enlarging a table visits all rows. So it isn't done while readers wait.
    if let changes = waiting, !memory.hasRoom(for: changes) { applyWaiting() }
    guard let changes = waiting else { return storage.publish(memory) }
    // The copy is released first, so that the storage alone holds its nodes.
    memory = MemoryVersion(entities: [])
    storage.applyInPlace(changes)
  }

  func rollBack() {
    if hasTakenSlots { storage.restoreFreeSlots() }
  }
}
