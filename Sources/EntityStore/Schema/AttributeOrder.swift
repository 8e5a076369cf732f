internal import Locking

/// The attributes of an entity that might be swapped with another one of the same type.
///
/// Swapped attributes are found with an object in which their values differ. Nothing is known of
/// two attributes whose values have been the same in all objects. So objects are checked until the
/// values have differed.
final class AttributeOrder: Sendable {
  /// The number of objects that have been checked.
  private let looked = AtomicWord(0)
  /// The number of attributes that haven't been distinguished from another one of their type.
  private let unknown: AtomicWord
  /// The positions of these attributes, in lists whose values have been the same so far.
  private let alike: Locked<[[Int]]>

  init(of types: [Any.Type]) {
    let lists = Dictionary(grouping: types.indices) { ObjectIdentifier(types[$0]) }.values
    let alike = lists.filter { $0.count > 1 }
    unknown = AtomicWord(alike.reduce(0) { $0 + $1.count })
    self.alike = Locked(alike)
  }

  /// Returns true if an object is to be checked.
  ///
  /// The first hundred objects are checked. After them an object is checked if it distinguishes
  /// attributes. If it is inserted, it also has to be one of the first ten thousand.
  func isConfirmed(by row: EntityRow, isNew: Bool) -> Bool {
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

  /// Notes that an object was read back unchanged, in the attributes for which `isRight` returns
  /// true.
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
    // Another thread may have noted another object meanwhile. Then one of the two is noted later.
    alike.withLock { $0 = rest }
    unknown.store(rest.reduce(0) { $0 + $1.count })
  }
}
