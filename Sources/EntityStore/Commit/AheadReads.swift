internal import Relays

/// The versions that observers have read before the store has merged them.
struct AheadReads: Sendable {
  private var versions: Set<Int64> = []
  private var readers = 0
  /// The ranges of versions that were merged together since the first of these reads began.
  private var crossed: [ClosedRange<Int64>] = []

  var newest: Int64? { versions.max() }

  func haveRead(atLeast version: Int64) -> Bool { versions.contains { $0 >= version } }

  mutating func begin() { readers += 1 }

  /// Records that an observer has read a version, or that its read failed if the version is nil.
  ///
  /// - Returns: false if the store has meanwhile merged this version together with later ones. Then
  ///   the observer has to read again.
  mutating func end(_ version: Int64?, merged: Int64) -> Bool {
    defer {
      readers -= 1
      if readers == 0 { crossed = [] }
    }
    guard let version else { return true }
    if crossed.contains(where: { $0.contains(version) && version < $0.upperBound }) { return false }
    if version > merged {
      versions = versions.filter { $0 > merged }
      versions.insert(version)
    }
    return true
  }

  /// Records that the store merges versions together.
  ///
  /// It may fail to, and try again. So the versions that were read aren't forgotten here.
  ///
  /// - Returns: true if an observer has read one of them that isn't the last.
  mutating func cross(_ range: ClosedRange<Int64>) -> Bool {
    if readers > 0 && range.count > 1 { crossed.append(range) }
    return versions.contains { range.contains($0) && $0 < range.upperBound }
  }
}
