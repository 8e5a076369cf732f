/// Moves that happen at once, as moves that are carried out one after the other.
///
/// A row goes to where it belongs behind the one that precedes it in the new list, in the order of the new list.
/// So at any moment those that have arrived stand together with those that stay, in their new order, and
/// between them wait those that haven't gone yet. Where each stands follows from three counts: of those that
/// stay, of those that have arrived, and of those that wait, the last one from a tree of sums (Fenwick, 1994).
struct StepwiseMoves {
  /// Positions of the moment, a row being taken out before it is put in.
  ///
  /// What would stay where it is is left out.
  private(set) var result: [PositionChange<ListPath>] = []

  /// By old path, with the number of rows before each, in its section, that stay.
  private var sources: [(path: ListPath, before: Int)]

  /// By new path, likewise.
  private let targets: [(path: ListPath, before: Int)]

  /// The sums of those that still wait, by their places in `sources`.
  private var waiting: [Int]

  /// - Parameter moves: All moves there are, in any sections, neither with rows that go nor with rows that come.
  init(_ moves: [PositionChange<ListPath>]) {
    let ordered = moves.sorted { $0.new < $1.new }
    sources = Self.counted(moves.map(\.old).sorted())
    targets = Self.counted(ordered.map(\.new))
    waiting = (0...moves.count).map { $0 & -$0 }
    for (index, move) in ordered.enumerated() {
      let source = sources.partitioningIndex { !($0.path < move.old) }
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

  /// Where a waiting row is, once so many have arrived.
  private func position(of source: Int, arrived: Int) -> ListPath {
    let (path, staying) = sources[source]
    let start = start(of: path.section, in: targets)
    // Those that have arrived before it stand behind no more than `staying` of those that stay.
    let end = end(of: path.section, upTo: staying, in: targets)
    let before = Swift.max(0, Swift.min(end, arrived) - start)
    let first = self.start(of: path.section, in: sources)
    return ListPath(
      section: path.section, row: staying + before + countWaiting(first..<source))
  }

  /// Where the next row arrives.
  private func position(ofTarget target: Int) -> ListPath {
    let (path, staying) = targets[target]
    let first = start(of: path.section, in: sources)
    let end = end(of: path.section, upTo: staying - 1, in: sources)
    return ListPath(section: path.section, row: path.row + countWaiting(first..<end))
  }

  private func start(of section: Int, in list: [(path: ListPath, before: Int)]) -> Int {
    list.partitioningIndex { $0.path.section >= section }
  }

  private func end(
    of section: Int, upTo staying: Int, in list: [(path: ListPath, before: Int)]
  ) -> Int {
    list.partitioningIndex { ($0.path.section, $0.before) > (section, staying) }
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

extension Array {
  /// The first index whose element satisfies a condition that holds from some element on; or the count.
  ///
  /// - Complexity: O(log *n*), where *n* is the length of the array.
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
