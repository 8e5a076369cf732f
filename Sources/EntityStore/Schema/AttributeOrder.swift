internal import Locking

/// What is known of an entity's attributes: whether two of one type could stand in each other's place.
///
/// Two attributes in each other's place are found with an object in which their values differ. As long as they have been
/// the same in all objects nothing is known of them, so objects are looked at until they have differed.
final class AttributeOrder: Sendable {
  /// How many objects have been looked at.
  private let looked = AtomicWord(0)
  /// How many attributes haven't been told from another one of their type.
  private let unknown: AtomicWord
  /// The positions of those, each list with attributes whose values have been the same so far.
  private let alike: Locked<[[Int]]>

  /// The order of attributes of these types.
  init(of types: [Any.Type]) {
    let lists = Dictionary(grouping: types.indices) { ObjectIdentifier(types[$0]) }.values
    let alike = lists.filter { $0.count > 1 }
    unknown = AtomicWord(alike.reduce(0) { $0 + $1.count })
    self.alike = Locked(alike)
  }

  /// Whether an object is to be looked at: one of the first hundred, or one that tells attributes apart.
  ///
  /// An object that is inserted is looked at for that as long as it is one of the first ten thousand.
  func isTold(by row: EntityRow, isNew: Bool) -> Bool {
    let looked = looked.loadRelaxed()
    guard looked >= 100 else {
      self.looked.add(1)
      return true
    }
    guard unknown.loadRelaxed() > 0, !isNew || looked < 10_000 else { return false }
    if isNew { self.looked.add(1) }
    let alike = alike.withLock { $0 }
    return alike.contains { columns in
      let first = row.value(at: columns[0])
      return columns.dropFirst().contains { row.value(at: $0) != first }
    }
  }

  /// Notes that an object has come back as it was, as far as `isRight` says so of its attributes.
  func note(_ row: EntityRow, isRight: (Int) -> Bool = { _ in true }) {
    guard unknown.loadRelaxed() > 0 else { return }
    var rest: [[Int]] = []
    for columns in alike.withLock({ $0 }) {
      guard columns.allSatisfy(isRight) else {
        rest.append(columns)
        continue
      }
      let lists = Dictionary(grouping: columns) { row.value(at: $0) }.values
      rest += lists.filter { $0.count > 1 }
    }
    // Another thread may have noted another object meanwhile: then one of the two is noted later.
    alike.withLock { $0 = rest }
    unknown.store(rest.reduce(0) { $0 + $1.count })
  }
}
