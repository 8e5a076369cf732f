extension ListChanges {
  /// Creates the difference of two flat lists whose elements need not be ``Diffable``.
  ///
  ///     let changes = ListChanges(
  ///       from: ["a": 1, "b": 2].sorted(by: <), to: ["b": 3].sorted(by: <),
  ///       identifiedBy: \.key, isContentEqual: { $0.value == $1.value })
  ///     print(changes)  // delete 0.0, update 0.1 → 0.0
  ///
  /// The result has the properties that ``ListDiff`` describes.
  ///
  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - areIdentifiersUnique: True if no identifier repeats in either list, as in a store. The
  ///     comparison is faster then. If one repeats all the same, the changes still lead from one
  ///     list to the other, but copies may be matched in another order.
  ///   - identifier: A closure that returns the identity of an element.
  ///   - isContentEqual: A closure that returns true if two elements with the same identity look
  ///     the same. It is called at most once for each row that didn't move.
  /// - Complexity: O(*n* + *m* log *m*), where *n* is the length of the longer list and *m* the
  ///   number of rows that are in both lists, without the common beginning and end.
  @inlinable
  @inline(__always)
  public init<Element, Identifier: Hashable>(
    from old: [Element], to new: [Element], areIdentifiersUnique: Bool = false,
    identifiedBy identifier: (Element) -> Identifier,
    isContentEqual: (Element, Element) -> Bool
  ) {
    let shared = Swift.min(old.count, new.count)
    var updates: [PositionChange<ListPath>] = []
    var start = 0
    while start < shared, identifier(old[start]) == identifier(new[start]) {
      if !isContentEqual(old[start], new[start]) {
        updates.append(Self._flat(start, start))
      }
      start += 1
    }
    var end = 0
    while end < shared - start,
      identifier(old[old.count - 1 - end]) == identifier(new[new.count - 1 - end])
    {
      end += 1
    }

    let oldRange = start..<old.count - end
    let newRange = start..<new.count - end
    let matches = _ListMatches(
      old: old, in: oldRange, new: new, in: newRange, areUnique: areIdentifiersUnique,
      identifiedBy: identifier)
    let staying = matches._staying
    var inserts: [ListPath] = []
    inserts.reserveCapacity(newRange.count - matches.count)
    var moves: [PositionChange<ListPath>] = []
    if let staying { moves.reserveCapacity(matches.count - staying.count) }
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        var next = start
        for (index, run) in matches.runs.enumerated() {
          let source = start &+ Int(run.old)
          let position = start &+ Int(run.new)
          for row in next..<position { inserts.append(ListPath(section: 0, row: row)) }
          next = position &+ Int(run.count)
          if let staying, !staying.runs[index] {
            for offset in 0..<Int(run.count) {
              moves.append(Self._flat(source &+ offset, position &+ offset))
            }
            continue
          }
          for offset in 0..<Int(run.count)
          where !isContentEqual(old[source &+ offset], new[position &+ offset]) {
            updates.append(Self._flat(source &+ offset, position &+ offset))
          }
        }
        for row in next..<newRange.upperBound { inserts.append(ListPath(section: 0, row: row)) }
      }
    }
    for back in (0..<end).reversed() {
      let source = old.count - 1 - back
      let position = new.count - 1 - back
      if !isContentEqual(old[source], new[position]) {
        updates.append(Self._flat(source, position))
      }
    }
    let deletes = matches.gone.map { ListPath(section: 0, row: start + Int($0)) }
    self.init(deletes: deletes, inserts: inserts, moves: moves, updates: updates)
    _checkInvariants(old: [old.count], new: [new.count])
  }

  /// Returns a change of position in section 0.
  @inlinable
  static func _flat(_ old: Int, _ new: Int) -> PositionChange<ListPath> {
    PositionChange(old: ListPath(section: 0, row: old), new: ListPath(section: 0, row: new))
  }

  /// Checks that the changes lead from a list of one shape to a list of another, if
  /// `INTERNAL_CHECKS` is set.
  @usableFromInline
  func _checkInvariants(old: @autoclosure () -> [Int], new: @autoclosure () -> [Int]) {
    #if INTERNAL_CHECKS
    do {
      try validate(old: old(), new: new())
    } catch {
      preconditionFailure("The difference is wrong: \(error)")
    }
    #endif
  }
}
