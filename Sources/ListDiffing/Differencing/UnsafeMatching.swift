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
    if matchLeft(identifiedBy: identifier) { return }
    for position in 0..<new.count {
      sources[position] = -1
      leftNew[position] = Int32(truncatingIfNeeded: position)
    }
    for row in 0..<old.count {
      taken[row] = false
      leftOld[row] = Int32(truncatingIfNeeded: row)
    }
    (leftOldCount, leftNewCount) = (old.count, new.count)
    _ = matchLeft(identifiedBy: identifier)
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
  ///
  /// - Returns: Whether no identifier that is left occurs among those that the walk has matched.
  @inlinable
  @inline(__always)
  func matchLeft(identifiedBy identifier: (Element) -> Identifier) -> Bool {
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
      table.enter(entry, hash: table.hash(wanted)) {
        identifier(old[Int(leftOld[$0])]) == wanted
      }
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
      let hash = table.hash(wanted)
      let slot = table.slot(hash: hash) { entry in
        entry < leftOldCount
          ? identifier(old[Int(leftOld[entry])]) == wanted
          : identifier(new[Int(leftNew[entry - leftOldCount])]) == wanted
      }
      let found = table.position(in: slot)
      if found < 0 {
        if walked > 0 { table.fill(slot, hash: hash, position: leftOldCount + index) }
        continue
      }
      guard found < leftOldCount, !taken[Int(leftOld[found])] else { continue }
      table.advance(slot)
      sources[position] = leftOld[found]
      taken[Int(leftOld[found])] = true
      guess = found + 1
    }
    return walked == 0 || isWalkAlone(with: table, identifiedBy: identifier)
  }

  /// Whether no identifier in the table occurs among those that the walk has matched.
  @inlinable
  @inline(__always)
  func isWalkAlone(
    with table: _UnsafeIdentifierTable, identifiedBy identifier: (Element) -> Identifier
  ) -> Bool {
    var next = 0
    for position in 0..<new.count {
      if next < leftNewCount, leftNew[next] == Int32(truncatingIfNeeded: position) {
        next += 1
        continue
      }
      let wanted = identifier(new[position])
      let hash = table.hash(wanted)
      guard table.mayContain(hash) else { continue }
      let slot = table.slot(hash: hash) { entry in
        entry < leftOldCount
          ? identifier(old[Int(leftOld[entry])]) == wanted
          : identifier(new[Int(leftNew[entry - leftOldCount])]) == wanted
      }
      if table.position(in: slot) >= 0 { return false }
    }
    return true
  }
}
