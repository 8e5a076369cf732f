/// Matches the rows of two lists, or of two parts of them.
///
/// First the lists are walked along, which finds what they have in common in runs without a table. What is
/// left goes through one. With identifiers that are unique both find the only match there is. If one that is
/// left occurs on the walk as well, the walk may have paired its copies out of order; then all of them go
/// through the table, in which copies are chained in order.
///
/// Positions are of 32 bits, and memory is addressed directly: on arrays the checks of each store would cost
/// as much as all the rest.
@usableFromInline
struct _UnsafeMatching<Element, Identifier: Hashable> {
  @usableFromInline let old: UnsafeBufferPointer<Element>
  @usableFromInline let new: UnsafeBufferPointer<Element>
  @usableFromInline let sources: UnsafeMutableBufferPointer<Int32>
  @usableFromInline let taken: UnsafeMutableBufferPointer<Bool>

  /// What isn't matched, ascending; as long as the counts say.
  @usableFromInline let leftOld: UnsafeMutablePointer<Int32>
  @usableFromInline let leftNew: UnsafeMutablePointer<Int32>
  @usableFromInline var leftOldCount = 0
  @usableFromInline var leftNewCount = 0

  @inlinable
  init(
    old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>,
    sources: UnsafeMutableBufferPointer<Int32>, taken: UnsafeMutableBufferPointer<Bool>
  ) {
    self.old = old
    self.new = new
    self.sources = sources
    self.taken = taken
    leftOld = .allocate(capacity: old.count)
    leftNew = .allocate(capacity: new.count)
  }

  @inlinable
  func deallocate() {
    leftOld.deallocate()
    leftNew.deallocate()
  }

  /// Fills `sources` and `taken`.
  @inlinable
  @inline(__always)
  mutating func run(identifiedBy identifier: (Element) -> Identifier) {
    sources.initialize(repeating: -1)
    taken.initialize(repeating: false)
    walk(identifiedBy: identifier)
    if leftOldCount + leftNewCount == 0 { return }
    var isTextByBytes = true
    while true {
      switch matchLeft(identifiedBy: identifier, isTextByBytes: isTextByBytes) {
      case .isExact:
        return
      case .needsStandardHash:
        isTextByBytes = false
        forgetLeft()
      case .needsAll:
        leaveAll()
      }
    }
  }

  /// How matching what is left through a table ended.
  @usableFromInline
  enum Outcome {
    /// It is right.
    case isExact

    /// There is text that isn't ASCII.
    case needsStandardHash

    /// An identifier that was left occurs among those that the walk has matched.
    case needsAll
  }

  /// Unmatches what the walk has left.
  @inlinable
  func forgetLeft() {
    for index in 0..<leftNewCount { sources[Int(leftNew[index])] = -1 }
    for index in 0..<leftOldCount { taken[Int(leftOld[index])] = false }
  }

  /// Unmatches everything, so that nothing counts as walked.
  @inlinable
  mutating func leaveAll() {
    (leftOldCount, leftNewCount) = (0, 0)
    leaveOld(0, old.count)
    leaveNew(0, new.count)
    forgetLeft()
  }

  /// Walks along both lists and matches what is equal, looking a few rows ahead where it isn't.
  @inlinable
  @inline(__always)
  mutating func walk(identifiedBy identifier: (Element) -> Identifier) {
    var row = 0
    var position = 0
    var misses = 0
    // After so many misses in a row the lists have little in common here, and looking on is in vain.
    walk: while row < old.count, position < new.count, misses < 16 {
      let wanted = identifier(old[row])
      let found = identifier(new[position])
      if wanted == found {
        sources[position] = Int32(truncatingIfNeeded: row)
        taken[row] = true
        row += 1
        position += 1
        misses = 0
        continue
      }
      misses += 1
      var ahead = 1
      while ahead <= 4 {
        if position + ahead < new.count, identifier(new[position + ahead]) == wanted {
          leaveNew(position, position + ahead)
          position += ahead
          continue walk
        }
        if row + ahead < old.count, identifier(old[row + ahead]) == found {
          leaveOld(row, row + ahead)
          row += ahead
          continue walk
        }
        ahead += 1
      }
      leaveOld(row, row + 1)
      leaveNew(position, position + 1)
      row += 1
      position += 1
    }
    leaveOld(row, old.count)
    leaveNew(position, new.count)
  }

  @inlinable
  mutating func leaveOld(_ start: Int, _ end: Int) {
    for row in start..<end {
      leftOld[leftOldCount] = Int32(truncatingIfNeeded: row)
      leftOldCount += 1
    }
  }

  @inlinable
  mutating func leaveNew(_ start: Int, _ end: Int) {
    for position in start..<end {
      leftNew[leftNewCount] = Int32(truncatingIfNeeded: position)
      leftNewCount += 1
    }
  }

  /// Matches what is left through a table.
  @inlinable
  @inline(__always)
  func matchLeft(
    identifiedBy identifier: (Element) -> Identifier, isTextByBytes: Bool
  ) -> Outcome {
    var hash = _UnsafeIdentifierHash<Identifier>(seed: leftOldCount, isTextByBytes: isTextByBytes)
    let walked = new.count - leftNewCount
    var table = _UnsafeIdentifierTable(
      count: walked == 0 ? leftOldCount : leftOldCount + leftNewCount, copies: leftOldCount,
      hasFilter: walked > 0)
    defer { table.deallocate() }
    // From the back, so that the first copy comes to stand first.
    var entry = leftOldCount
    while entry > 0 {
      entry -= 1
      let wanted = identifier(old[Int(leftOld[entry])])
      table.enter(entry, hash: hash(wanted)) { identifier(old[Int(leftOld[$0])]) == wanted }
      if hash.isUnfit { return .needsStandardHash }
    }
    var guess = 0
    for index in 0..<leftNewCount {
      let position = Int(leftNew[index])
      let wanted = identifier(new[position])
      // A neighbour is often followed by the same neighbour as before; among copies it could be a later one.
      if !table.hasCopies, guess < leftOldCount, !taken[Int(leftOld[guess])],
        identifier(old[Int(leftOld[guess])]) == wanted
      {
        sources[position] = leftOld[guess]
        taken[Int(leftOld[guess])] = true
        guess += 1
        continue
      }
      let key = hash(wanted)
      if hash.isUnfit { return .needsStandardHash }
      let slot = table.slot(hash: key) { entry in
        entry < leftOldCount
          ? identifier(old[Int(leftOld[entry])]) == wanted
          : identifier(new[Int(leftNew[entry - leftOldCount])]) == wanted
      }
      let found = table.position(in: slot)
      if found < 0 {
        if walked > 0 { table.fill(slot, hash: key, position: leftOldCount + index) }
        continue
      }
      guard found < leftOldCount, !taken[Int(leftOld[found])] else { continue }
      table.advance(slot)
      sources[position] = leftOld[found]
      taken[Int(leftOld[found])] = true
      guess = found + 1
    }
    if walked == 0 { return .isExact }
    // No identifier in the table may occur among those that the walk has matched.
    var next = 0
    for position in 0..<new.count {
      if next < leftNewCount, leftNew[next] == Int32(truncatingIfNeeded: position) {
        next += 1
        continue
      }
      let wanted = identifier(new[position])
      let key = hash(wanted)
      if hash.isUnfit { return .needsStandardHash }
      guard table.mayContain(key) else { continue }
      let slot = table.slot(hash: key) { entry in
        entry < leftOldCount
          ? identifier(old[Int(leftOld[entry])]) == wanted
          : identifier(new[Int(leftNew[entry - leftOldCount])]) == wanted
      }
      if table.position(in: slot) >= 0 { return .needsAll }
    }
    return .isExact
  }
}
