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

  /// What isn't matched, ascending; as long as the counts say.
  @usableFromInline let leftOld: UnsafeMutablePointer<Int32>
  @usableFromInline let leftNew: UnsafeMutablePointer<Int32>
  @usableFromInline var leftOldCount = 0
  @usableFromInline var leftNewCount = 0

  /// For each entry of `leftOld` whether the table has matched it, and their number.
  @usableFromInline let taken: UnsafeMutablePointer<Bool>
  @usableFromInline var takenCount = 0

  @inlinable
  init(
    old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>,
    sources: UnsafeMutableBufferPointer<Int32>
  ) {
    self.old = old
    self.new = new
    self.sources = sources
    leftOld = .allocate(capacity: old.count)
    leftNew = .allocate(capacity: new.count)
    taken = .allocate(capacity: old.count)
  }

  @inlinable
  func deallocate() {
    leftOld.deallocate()
    leftNew.deallocate()
    taken.deallocate()
  }

  /// Fills `sources`.
  @inlinable
  @inline(__always)
  mutating func run(identifiedBy identifier: (Element) -> Identifier) {
    sources.initialize(repeating: -1)
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
  }

  /// Unmatches everything, so that nothing counts as walked.
  @inlinable
  mutating func leaveAll() {
    (leftOldCount, leftNewCount) = (0, 0)
    leaveOld(0, old.count)
    leaveNew(0, new.count)
    forgetLeft()
  }

  /// The rows of the old list that are in no match, ascending.
  @inlinable
  var gone: [Int32] {
    [Int32](unsafeUninitializedCapacity: leftOldCount - takenCount) { gone, count in
      for entry in 0..<leftOldCount where !taken[entry] {
        gone[count] = leftOld[entry]
        count &+= 1
      }
    }
  }

  /// Walks along both lists and matches what is equal, looking a few rows ahead where it isn't.
  @inlinable
  @inline(__always)
  mutating func walk(identifiedBy identifier: (Element) -> Identifier) {
    // Copies, since a store through a pointer could otherwise be one into the fields.
    let (old, new, sources) = (old, new, sources)
    let (leftOld, leftNew) = (leftOld, leftNew)
    var (oldLeft, newLeft) = (0, 0)
    var (row, position, misses) = (0, 0, 0)
    // After so many misses in a row the lists have little in common here, and looking on is in vain.
    walk: while row < old.count, position < new.count, misses < 16 {
      let wanted = identifier(old[row])
      let found = identifier(new[position])
      if wanted == found {
        sources[position] = Int32(truncatingIfNeeded: row)
        row &+= 1
        position &+= 1
        misses = 0
        continue
      }
      misses &+= 1
      var ahead = 1
      while ahead <= 4 {
        if position &+ ahead < new.count, identifier(new[position &+ ahead]) == wanted {
          for skipped in position..<position &+ ahead {
            leftNew[newLeft] = Int32(truncatingIfNeeded: skipped)
            newLeft &+= 1
          }
          position &+= ahead
          continue walk
        }
        if row &+ ahead < old.count, identifier(old[row &+ ahead]) == found {
          for skipped in row..<row &+ ahead {
            leftOld[oldLeft] = Int32(truncatingIfNeeded: skipped)
            oldLeft &+= 1
          }
          row &+= ahead
          continue walk
        }
        ahead &+= 1
      }
      leftOld[oldLeft] = Int32(truncatingIfNeeded: row)
      leftNew[newLeft] = Int32(truncatingIfNeeded: position)
      oldLeft &+= 1
      newLeft &+= 1
      row &+= 1
      position &+= 1
    }
    (leftOldCount, leftNewCount) = (oldLeft, newLeft)
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
  mutating func matchLeft(
    identifiedBy identifier: (Element) -> Identifier, isTextByBytes: Bool
  ) -> Outcome {
    let (old, new, sources, taken) = (old, new, sources, taken)
    let (leftOld, leftNew) = (leftOld, leftNew)
    let (leftOldCount, leftNewCount) = (leftOldCount, leftNewCount)
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
    // With so many copies some will be found to have been walked over, and all this was in vain.
    if walked > 0, table.copyCount > leftOldCount / 4 { return .needsAll }
    let hasCopies = table.copyCount > 0
    var guess = 0
    var takenCount = 0
    taken.initialize(repeating: false, count: leftOldCount)
    defer { self.takenCount = takenCount }
    for index in 0..<leftNewCount {
      let position = Int(leftNew[index])
      let wanted = identifier(new[position])
      // A neighbour is often followed by the same neighbour as before; among copies it could be a later one.
      if !hasCopies, guess < leftOldCount, !taken[guess],
        identifier(old[Int(leftOld[guess])]) == wanted
      {
        sources[position] = leftOld[guess]
        taken[guess] = true
        takenCount &+= 1
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
      guard found < leftOldCount, !taken[found] else { continue }
      table.advance(slot)
      sources[position] = leftOld[found]
      taken[found] = true
      takenCount &+= 1
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
