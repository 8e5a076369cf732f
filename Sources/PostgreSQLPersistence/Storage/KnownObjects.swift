#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// The objects of an entity that a commit has read by their ids, and nil for ids without one.
///
/// Nobody else changes them while the transaction has the lock.
struct KnownObjects {
  private var objects: [StoredValue: EntityRow?] = [:]
  /// About the number of bytes that they take.
  private var size = 0

  private static let most = 8 << 20
  /// About the number of bytes that an object takes besides its values.
  private static let overhead = 128

  /// True if no more objects should be kept.
  var isFull: Bool { size >= Self.most }

  /// Returns the object with an id, `.some(nil)` if there is none, or nil if it isn't known.
  subscript(id: StoredValue) -> EntityRow?? { objects[id] }

  /// Keeps an object whose values have `size` bytes, or nil for an id without one.
  mutating func keep(_ object: EntityRow?, _ id: StoredValue, size: Int) {
    objects.updateValue(object, forKey: id)
    self.size += Self.overhead + size
  }
}
#endif
