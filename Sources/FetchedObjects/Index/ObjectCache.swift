/// The objects that were read last, by their keys: as many as there is room for.
struct ObjectCache<Key: Hashable & Sendable, Object: Sendable>: Sendable {
  private struct Entry: Sendable {
    let object: Object
    var use: Int
  }

  let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var uses = 0
  /// Grows whenever an object may have changed, so that what was read before isn't taken in after.
  private(set) var generation = 0

  init(capacity: Int) { self.capacity = capacity }

  /// How many there are.
  var count: Int { entries.count }

  /// The object with a key, which counts as used.
  mutating func object(_ key: Key) -> Object? {
    guard let object = entries[key]?.object else { return nil }
    uses += 1
    entries[key]?.use = uses
    return object
  }

  /// Takes in an object that was read at a generation.
  ///
  /// - Returns: what is let go of, to be released outside a lock.
  mutating func insert(
    _ object: Object, for key: Key, readAt generation: Int
  ) -> [Object] {
    guard generation == self.generation, capacity > 0 else { return [] }
    uses += 1
    let replaced = entries.updateValue(Entry(object: object, use: uses), forKey: key)
    // The older half goes at once, so that one insertion costs O(log n) amortised.
    guard entries.count > capacity else { return replaced.map { [$0.object] } ?? [] }
    let oldest = entries.values.map(\.use).sorted()[entries.count - (capacity + 1) / 2]
    let all = entries
    entries = entries.filter { $0.value.use >= oldest }
    return (replaced.map { [$0.object] } ?? []) + all.values.map(\.object)
  }

  /// Forgets objects that may have changed; nil is all.
  ///
  /// - Returns: what is let go of, to be released outside a lock.
  mutating func forget(_ keys: [Key]?) -> [Object] {
    generation += 1
    guard let keys else {
      defer { entries.removeAll() }
      return entries.values.map(\.object)
    }
    return keys.compactMap { entries.removeValue(forKey: $0)?.object }
  }
}
