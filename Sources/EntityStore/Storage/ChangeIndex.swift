/// An index that finds changes by the hash of their ids.
///
/// It is a table with open addressing of the changes' positions in their array.
struct ChangeIndex {
  /// The number of changes up to which no index is needed.
  static let fewest = 8

  /// The positions plus one, or 0 in a free place.
  private var places: ContiguousArray<UInt32> = []

  @inline(__always)
  func find(_ hash: UInt64, where matches: (Int) -> Bool) -> Int? {
    let mask = places.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while true {
      let place = places[at]
      if place == 0 { return nil }
      if matches(Int(place) - 1) { return Int(place) - 1 }
      at = (at + 1) & mask
    }
  }

  private mutating func insert(_ place: Int, _ hash: UInt64) {
    let mask = places.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while places[at] != 0 { at = (at + 1) & mask }
    places[at] = UInt32(place + 1)
  }

  init() {}

  /// Creates an index of changes, which stays empty if there are only a few.
  init(_ changes: ContiguousArray<ObjectChange>) {
    guard changes.count > Self.fewest else { return }
    rebuild(changes)
  }

  private mutating func rebuild(_ changes: ContiguousArray<ObjectChange>) {
    var size = 32
    while size < changes.count * 2 { size *= 2 }
    places = ContiguousArray(repeating: 0, count: size)
    for place in changes.indices { insert(place, changes[place].id.quickHash) }
  }

  /// Adds the last of `changes`; the index has the others already, or it is empty.
  mutating func add(_ changes: ContiguousArray<ObjectChange>) {
    let last = changes.count - 1
    if changes.count * 2 <= places.count { return insert(last, changes[last].id.quickHash) }
    rebuild(changes)
  }
}
