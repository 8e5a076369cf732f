extension RankTree {
  /// An entry and the rank that it has after an update.
  package typealias Insertion = (rank: Int, entry: RankEntry)

  /// Removes the entries at `removals` and then inserts others.
  ///
  ///     // Removes the entries 0 and 2, and inserts a new one between the others.
  ///     tree.update(removing: [0, 2], inserting: [(rank: 1, entry: entry)])
  ///
  /// - Parameters:
  ///   - removals: The ranks before the update, ascending.
  ///   - insertions: The entries and the ranks they have after the update, ascending.
  /// - Complexity: O(*k* log *n*), where *k* is the number of removals and insertions, or O(*n*) if
  ///   that is less.
  package mutating func update(removing removals: [Int], inserting insertions: [Insertion]) {
    checkRanks(removals, below: count, "The ranks to remove")
    checkRanks(
      insertions.lazy.map(\.rank), below: count - removals.count + insertions.count,
      "The ranks to insert at")
    if (removals.count + insertions.count) * Self.entriesRebuiltPerChange < count {
      change(removing: removals, inserting: insertions)
    } else {
      rebuild(removing: removals, inserting: insertions)
    }
  }

  /// The number of entries that are rebuilt in the time of one change.
  private static var entriesRebuiltPerChange: Int { 64 }

  private func checkRanks(_ ranks: some Sequence<Int>, below end: Int, _ name: String) {
    var least = 0
    for rank in ranks {
      precondition(rank >= least, "\(name) aren't ascending")
      precondition(rank < end, "\(name) go beyond the end")
      least = rank + 1
    }
  }

  /// Makes the changes one after the other.
  mutating func change(removing removals: [Int], inserting insertions: [Insertion]) {
    for rank in removals.reversed() { remove(at: rank) }
    for insertion in insertions { insert(insertion.entry, at: insertion.rank) }
  }

  /// Builds the tree again from scratch.
  mutating func rebuild(removing removals: [Int], inserting insertions: [Insertion]) {
    var builder = RankTreeBuilder(widths: widths)
    withExtendedLifetime(root) {
      removals.withUnsafeBufferPointer { removals in
        insertions.withUnsafeBufferPointer { insertions in
          var (removed, inserted) = (0, 0)
          var spans = UnsafeRankSpans(of: self, in: 0..<count)
          while true {
            let arrival = inserted < insertions.count ? insertions[inserted].rank : .max
            let departure = removed < removals.count ? removals[removed] : count
            if arrival == builder.count {
              builder.append(insertions[inserted].entry)
              inserted += 1
            } else if departure == spans.rank && removed < removals.count {
              _ = spans.next(atMost: 1)
              removed += 1
            } else {
              let most = min(departure - spans.rank, arrival - builder.count)
              guard let span = spans.next(atMost: most) else { break }
              builder.append(contentsOf: span)
            }
          }
        }
      }
    }
    self = builder.tree()
    checkInvariants()
  }
}
