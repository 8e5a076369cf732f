/// An algorithm that matches the rows of two lists, or of two parts of them.
///
/// First it walks along both lists. This finds common runs without a table. The remaining rows are
/// matched with a table. If identifiers are unique, both steps find the only possible match. If a
/// remaining identifier also occurs in the walked runs, the walk may have paired its copies out of
/// order. Then all rows are matched with the table, in which copies are chained in order.
///
/// Positions have 32 bits, and memory is accessed directly. With arrays, the checks of each store
/// would cost as much as everything else.
@usableFromInline
struct _UnsafeMatching<Element, Identifier: Hashable> {
  @usableFromInline let old: UnsafeBufferPointer<Element>
  @usableFromInline let new: UnsafeBufferPointer<Element>

  /// True if no identifier repeats in either list.
  @usableFromInline let areUnique: Bool

  @usableFromInline var walked = _UnsafeWalk()

  @inlinable
  init(
    old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>, areUnique: Bool
  ) {
    self.old = old
    self.new = new
    self.areUnique = areUnique
  }

  @inlinable
  @inline(__always)
  mutating func run(identifiedBy identifier: (Element) -> Identifier) {
    walk(identifiedBy: identifier)
    walked.countRows()
    // A table without the walk is smaller, and nothing has to be compared with the walked rows.
    if walked.rowCount < (old.count + new.count) / 8 { walked.dropRuns() }
    walked.leave(oldCount: old.count, newCount: new.count)
    if walked.old.count + walked.new.count == 0 { return }
    var isTextByBytes = true
    while true {
      switch matchLeft(identifiedBy: identifier, isTextByBytes: isTextByBytes) {
      case .isExact:
        return
      case .needsStandardHash:
        isTextByBytes = false
      case .needsAll:
        walked.dropRuns()
      }
      walked.leave(oldCount: old.count, newCount: new.count)
    }
  }

  /// The outcome of matching the remaining rows with a table.
  @usableFromInline
  enum Outcome {
    /// The result is correct.
    case isExact

    /// Some text can't be hashed by its bytes.
    case needsStandardHash

    /// A remaining identifier also occurs among those that the walk has matched.
    case needsAll
  }

  /// Walks along both lists and matches equal rows.
  ///
  /// If two rows differ, it looks a few rows ahead.
  @inlinable
  @inline(__always)
  mutating func walk(identifiedBy identifier: (Element) -> Identifier) {
    let (old, new) = (old, new)
    var runs = walked.runs
    var (row, position, misses, strides) = (0, 0, 0, 0)
    var solid = (count: 0, row: 0, position: 0)
    walk: while row < old.count, position < new.count {
      if misses == 16 {
        // The lists have little in common here, so looking ahead doesn't help. Perhaps only these
        // rows are in another order, and the rest has the same offset as the last long run.
        strides &+= 1
        if strides > 8 { break }
        misses = 0
        (runs.count, row, position) = solid
        // A single row may match by chance, and the rows after it may still be in another order.
        var equal = 0
        while equal < 8, row < old.count, position < new.count {
          equal = identifier(old[row]) == identifier(new[position]) ? equal &+ 1 : 0
          row &+= 1
          position &+= 1
        }
        (row, position) = (row &- equal, position &- equal)
        solid = (runs.count, row, position)
        continue
      }
      let wanted = identifier(old[row])
      let found = identifier(new[position])
      if wanted == found {
        let start = row
        repeat {
          row &+= 1
          position &+= 1
        } while row < old.count && position < new.count
          && identifier(old[row]) == identifier(new[position])
        let count = row &- start
        runs.append(_MatchedRun(old: start, new: position &- count, count: count))
        if count >= 8 { solid = (runs.count, row, position) }
        misses = 0
        continue
      }
      misses &+= 1
      var ahead = 1
      while ahead <= 4 {
        if position &+ ahead < new.count, identifier(new[position &+ ahead]) == wanted {
          position &+= ahead
          continue walk
        }
        if row &+ ahead < old.count, identifier(old[row &+ ahead]) == found {
          row &+= ahead
          continue walk
        }
        ahead &+= 1
      }
      row &+= 1
      position &+= 1
    }
    walked.runs = runs
  }

  /// Matches the remaining rows with a table.
  @inlinable
  @inline(__always)
  mutating func matchLeft(
    identifiedBy identifier: (Element) -> Identifier, isTextByBytes: Bool
  ) -> Outcome {
    let (old, new) = (old, new)
    var walked = walked
    defer { self.walked = walked }
    let (leftOld, leftNew) = (walked.old, walked.new)
    let (oldCount, newCount) = (leftOld.count, leftNew.count)
    // Unique identifiers aren't looked for among the walked rows.
    let hasWalked = walked.rowCount > 0 && !areUnique
    var hash = _UnsafeIdentifierHash<Identifier>(seed: oldCount, isTextByBytes: isTextByBytes)
    var table = _UnsafeIdentifierTable(
      count: hasWalked ? oldCount + newCount : oldCount, copies: oldCount,
      hasFilter: hasWalked)
    defer { table.deallocate() }
    // Start at the back, so that the first copy becomes the first in its chain.
    var entry = oldCount
    while entry > 0 {
      entry -= 1
      let wanted = identifier(old[Int(leftOld[entry])])
      table.enter(entry, hash: hash(wanted)) { identifier(old[Int(leftOld[$0])]) == wanted }
      if hash.isUnfit { return .needsStandardHash }
    }
    // With this many copies, some will also be in the walked runs, and the work would be wasted.
    if hasWalked, table.copyCount > oldCount / 4 { return .needsAll }
    let hasCopies = table.copyCount > 0
    // This is a constant, so that its pointers aren't read again and again.
    let filled = table
    var guess = 0
    for index in 0..<newCount {
      let wanted = identifier(new[Int(leftNew[index])])
      // A neighbour is often followed by the same neighbour as before. With copies, it could be a
      // later copy.
      // Whether it is taken is asked second: in a shuffled list that branch is mispredicted.
      if !hasCopies, guess < oldCount, identifier(old[Int(leftOld[guess])]) == wanted,
        !walked.isTaken[guess]
      {
        walked.match(old: guess, new: index)
        guess += 1
        continue
      }
      let key = hash(wanted)
      if hash.isUnfit { return .needsStandardHash }
      let slot = filled.slot(hash: key) { entry in
        entry < oldCount
          ? identifier(old[Int(leftOld[entry])]) == wanted
          : identifier(new[Int(leftNew[entry - oldCount])]) == wanted
      }
      let found = filled.position(in: slot)
      if found < 0 {
        if hasWalked { filled.fill(slot, hash: key, position: oldCount + index) }
        continue
      }
      guard found < oldCount, !walked.isTaken[found] else { continue }
      if hasCopies { filled.advance(slot) }
      walked.match(old: found, new: index)
      guess = found + 1
    }
    if !hasWalked { return .isExact }
    // No identifier in the table may occur among those that the walk has matched.
    for index in 0..<walked.runs.count {
      let run = walked.runs[index]
      for position in Int(run.new)..<Int(run.new &+ run.count) {
        let wanted = identifier(new[position])
        let key = hash(wanted)
        if hash.isUnfit { return .needsStandardHash }
        guard filled.mayContain(key) else { continue }
        let slot = filled.slot(hash: key) { entry in
          entry < oldCount
            ? identifier(old[Int(leftOld[entry])]) == wanted
            : identifier(new[Int(leftNew[entry - oldCount])]) == wanted
        }
        if filled.position(in: slot) >= 0 { return .needsAll }
      }
    }
    return .isExact
  }
}
