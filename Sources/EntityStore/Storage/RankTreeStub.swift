package struct RankEntry: Sendable, Equatable {
  package var prefix: UInt64; package var slot: UInt32
}
package struct RankTree: Sendable {
  var entries: ContiguousArray<RankEntry> = []
  package init() {}
  package init(sorted: some Sequence<RankEntry>) { entries = ContiguousArray(sorted) }
  package var count: Int { entries.count }
  package func partitioningIndex(where p: (RankEntry) throws -> Bool) rethrows -> Int {
    var low = 0, high = entries.count
    while low < high {
      let m = (low + high) / 2; if try p(entries[m]) { high = m } else { low = m + 1 }
    }
    return low
  }
  package mutating func insert(_ e: RankEntry, at rank: Int) { entries.insert(e, at: rank) }
  package mutating func remove(at rank: Int) { entries.remove(at: rank) }
  package func forEach(in range: Range<Int>, _ body: (RankEntry) throws -> Void) rethrows {
    for e in entries[range] { try body(e) }
  }
}
