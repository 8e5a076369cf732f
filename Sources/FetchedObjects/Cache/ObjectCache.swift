internal import EntityStore

/// The objects that were read last, by id: as many as there is room for.
struct ObjectCache<Object: Sendable>: Sendable {
  private struct Entry: Sendable {
    let object: Object
    var use: Int
  }

  let capacity: Int
  private var entries: [StoredValue: Entry] = [:]
  private var uses = 0
  /// Grows whenever an object may have changed, so that what was read before isn't taken in after.
  private(set) var generation = 0

  init(capacity: Int) { self.capacity = capacity }

  /// How many there are.
  var count: Int { entries.count }

  /// The object with an id, which counts as used.
  mutating func object(_ id: StoredValue) -> Object? {
    guard let object = entries[id]?.object else { return nil }
    uses += 1
    entries[id]?.use = uses
    return object
  }

  /// Takes in an object that was read at a generation, and gives those that make room for it.
  @discardableResult
  mutating func insert(
    _ object: Object, for id: StoredValue, readAt generation: Int
  ) -> [Object] {
    guard generation == self.generation, capacity > 0 else { return [] }
    uses += 1
    entries[id] = Entry(object: object, use: uses)
    // The older half goes at once, so that one insertion costs O(log n) amortised.
    guard entries.count > capacity else { return [] }
    let oldest = entries.values.map(\.use).sorted()[entries.count - (capacity + 1) / 2]
    let evicted = entries.values.filter { $0.use < oldest }.map(\.object)
    entries = entries.filter { $0.value.use >= oldest }
    return evicted
  }

  /// Forgets objects that may have changed, and gives them; nil is all.
  @discardableResult
  mutating func forget(_ ids: [StoredValue]?) -> [Object] {
    generation += 1
    guard let ids else {
      let all = entries.values.map(\.object)
      entries.removeAll()
      return all
    }
    return ids.compactMap { entries.removeValue(forKey: $0)?.object }
  }
}
