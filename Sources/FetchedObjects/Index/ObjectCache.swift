/// A cache of the most recently read objects, by their keys, up to its capacity.
struct ObjectCache<Key: Hashable & Sendable, Object: Sendable>: Sendable {
  private struct Entry: Sendable {
    let object: Object
    var use: Int
  }

  let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var uses = 0
  /// A number that grows whenever an object may have changed, so that an object that was read
  /// before isn't inserted after.
  private(set) var generation = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  /// Returns the object with a key, and counts it as used.
  mutating func object(_ key: Key) -> Object? {
    guard let object = entries[key]?.object else { return nil }
    uses += 1
    entries[key]?.use = uses
    return object
  }

  /// Inserts an object that was read in a generation, and returns those to release outside a lock.
  mutating func insert(
    _ object: Object, for key: Key, readAt generation: Int
  ) -> [Object] {
    guard generation == self.generation, capacity > 0 else { return [] }
    uses += 1
    let replaced = entries.updateValue(Entry(object: object, use: uses), forKey: key)
    guard entries.count > capacity else { return replaced.map { [$0.object] } ?? [] }
    // The older half is removed at once, so that an insertion costs O(log n) amortised.
    let oldest = entries.values.map { $0.use }.sorted()[entries.count - (capacity + 1) / 2]
    let older = entries.compactMap { key, entry in entry.use < oldest ? key : nil }
    return older.compactMap { entries.removeValue(forKey: $0)?.object }
  }

  /// Removes objects that may have changed, or all, and returns them for release outside a lock.
  mutating func forget(_ keys: [Key]?) -> [Object] {
    generation += 1
    guard let keys else {
      defer { entries.removeAll() }
      return entries.values.map { $0.object }
    }
    return keys.compactMap { entries.removeValue(forKey: $0)?.object }
  }
}
