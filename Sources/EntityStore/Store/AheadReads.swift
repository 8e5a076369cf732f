internal import Relays

/// The versions that observers have read before the store has taken them in.
struct AheadReads: Sendable {
  private var versions: Set<Int64> = []
  /// How many are reading.
  private var readers = 0
  /// What has been taken in together since the first of them began.
  private var crossed: [ClosedRange<Int64>] = []

  /// The last version that has been read ahead, or nil.
  var newest: Int64? { versions.max() }

  /// Whether a version has been read that isn't before one.
  func haveRead(atLeast version: Int64) -> Bool { versions.contains { $0 >= version } }

  /// Notes that an observer begins to read.
  mutating func begin() { readers += 1 }

  /// Notes that an observer has read a version, or none.
  ///
  /// - Returns: false if it is one that others were taken in together with meanwhile: the observer has to read
  ///   anew.
  mutating func end(_ version: Int64?, takenIn: Int64) -> Bool {
    defer {
      readers -= 1
      if readers == 0 { crossed = [] }
    }
    guard let version else { return true }
    if crossed.contains(where: { $0.contains(version) && version < $0.upperBound }) { return false }
    if version > takenIn {
      versions = versions.filter { $0 > takenIn }
      versions.insert(version)
    }
    return true
  }

  /// Takes in versions together.
  ///
  /// - Returns: whether an observer has read one of them that isn't the last.
  mutating func cross(_ range: ClosedRange<Int64>) -> Bool {
    if readers > 0 && range.count > 1 { crossed.append(range) }
    let wasReadBetween = versions.contains { range.contains($0) && $0 < range.upperBound }
    versions = versions.filter { $0 > range.upperBound }
    return wasReadBetween
  }
}
