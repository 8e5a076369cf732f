/// Simultaneous moves, converted to moves that are carried out one after the other.
///
/// The rows are moved in the order of the new list. Each row is put behind the row that precedes it
/// in the new list. So at any moment, the rows that have arrived and the rows that stay are already
/// in their new order. The rows that still wait are between them. The position of each row follows
/// from three counts: of the rows that stay, of those that have arrived, and of those that wait.
/// The last count comes from a tree of sums (Fenwick, 1994).
struct StepwiseMoves {
  /// Positions are those at the time of the move.
  ///
  /// A row is removed before it is inserted.
  ///
  /// A row that would stay at its position is omitted.
  private(set) var result: [PositionChange<ListPath>] = []

  /// The old paths, sorted.
  ///
  /// Each has the number of staying rows before it in its section.
  private var sources: [(path: ListPath, before: Int)]

  /// The new paths, sorted.
  ///
  /// Each has the number of staying rows before it in its section.
  private let targets: [(path: ListPath, before: Int)]

  /// The sums of the waiting rows, by their positions in `sources`.
  private var waiting: [Int]

  /// The moves are in any sections, and their positions don't count rows that are deleted or
  /// inserted.
  init(_ moves: [PositionChange<ListPath>]) {
    let ordered = moves.sorted { $0.new < $1.new }
    sources = Self.counted(moves.map(\.old).sorted())
    targets = Self.counted(ordered.map(\.new))
    waiting = (0...moves.count).map { $0 & -$0 }
    for (index, move) in ordered.enumerated() {
      let source = partitionPoint(sources.count) { !(sources[$0].path < move.old) }
      let from = position(of: source, arrived: index)
      leave(source)
      let to = position(ofTarget: index)
      if from != to { result.append(PositionChange(old: from, new: to)) }
    }
  }

  private static func counted(_ paths: [ListPath]) -> [(path: ListPath, before: Int)] {
    var start = 0
    return paths.enumerated().map { index, path in
      if index > 0, paths[index - 1].section != path.section { start = index }
      return (path, path.row - (index - start))
    }
  }

  /// Returns the position of a waiting row after `arrived` rows have arrived.
  private func position(of source: Int, arrived: Int) -> ListPath {
    let (path, staying) = sources[source]
    let start = start(of: path.section, in: targets)
    // The arrived rows before it have at most `staying` of the staying rows before them.
    let end = end(of: path.section, upTo: staying, in: targets)
    let before = Swift.max(0, Swift.min(end, arrived) - start)
    let first = self.start(of: path.section, in: sources)
    return ListPath(
      section: path.section, row: staying + before + countWaiting(first..<source))
  }

  /// Returns the position at which the next row arrives.
  private func position(ofTarget target: Int) -> ListPath {
    let (path, staying) = targets[target]
    let first = start(of: path.section, in: sources)
    let end = end(of: path.section, upTo: staying - 1, in: sources)
    return ListPath(section: path.section, row: path.row + countWaiting(first..<end))
  }

  private func start(of section: Int, in list: [(path: ListPath, before: Int)]) -> Int {
    partitionPoint(list.count) { list[$0].path.section >= section }
  }

  private func end(
    of section: Int, upTo staying: Int, in list: [(path: ListPath, before: Int)]
  ) -> Int {
    partitionPoint(list.count) { (list[$0].path.section, list[$0].before) > (section, staying) }
  }

  private func countWaiting(_ range: Range<Int>) -> Int {
    countWaiting(below: range.upperBound) - countWaiting(below: range.lowerBound)
  }

  private func countWaiting(below end: Int) -> Int {
    var (count, node) = (0, end)
    while node > 0 {
      count += waiting[node]
      node &= node - 1
    }
    return count
  }

  private mutating func leave(_ source: Int) {
    var node = source + 1
    while node < waiting.count {
      waiting[node] -= 1
      node += node & -node
    }
  }
}
