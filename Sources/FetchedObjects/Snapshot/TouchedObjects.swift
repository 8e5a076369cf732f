internal import EntityStore

/// The objects that may differ between two values.
enum TouchedObjects: TouchedRows {
  /// The objects with these ids, each once.
  case some([StoredValue])
  /// The rows that one commit changes, with their paths.
  case placed(PlacedRows)
  /// The objects of several steps.
  case union(Set<StoredValue>)
  case all

  static let none = TouchedObjects.some([])

  /// The ids, each once, or nil if any object may differ.
  var ids: [StoredValue]? {
    switch self {
    case .some(let ids): ids
    case .placed(let placed): placed.rows.map { $0.id }
    case .union(let ids): Array(ids)
    case .all: nil
    }
  }

  /// Adds the objects of a later step.
  ///
  /// - Complexity: O(*k*) for the *k* objects of the later step, amortised over several.
  mutating func formUnion(_ later: TouchedObjects) {
    var union: Set<StoredValue>
    switch (self, later) {
    case (.all, _), (_, .some([])): return
    case (_, .all), (.some([]), _):
      self = later
      return
    case (.some(let ids), _): union = Set(ids)
    case (.placed(let placed), _): union = Set(placed.rows.lazy.map { $0.id })
    case (.union(let ids), _): union = ids
    }
    // `self` is cleared, so that the set isn't copied.
    self = .none
    switch later {
    case .some(let ids): union.formUnion(ids)
    case .placed(let placed): for row in placed.rows { union.insert(row.id) }
    case .union(let ids): union.formUnion(ids)
    case .all: break
    }
    self = .union(union)
  }
}
