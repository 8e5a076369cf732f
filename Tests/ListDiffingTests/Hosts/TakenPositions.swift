import ListDiffing

/// The positions of one list that changes refer to: each is there, and is in one change at most.
struct TakenPositions {
  /// What happens to a section as a whole.
  enum Fate {
    case stays, moves, goesOrComes
  }

  private let side: HostViolation.Side
  private(set) var fates: [Fate]
  private(set) var isRowTaken: [[Bool]]

  /// Takes none of the positions of a list yet.
  init(_ side: HostViolation.Side, in list: [Section]) {
    self.side = side
    fates = [Fate](repeating: .stays, count: list.count)
    isRowTaken = list.map { [Bool](repeating: false, count: $0.rows.count) }
  }

  /// The sections that nothing happens to as a whole, in order.
  var stayingSections: [Int] { fates.indices.filter { fates[$0] == .stays } }

  /// The rows of a section that nothing happens to, in order.
  func stayingRows(in section: Int) -> [Int] {
    isRowTaken[section].indices.filter { !isRowTaken[section][$0] }
  }

  mutating func take(_ section: Int, as fate: Fate) throws(HostViolation) {
    guard fates.indices.contains(section) else { throw .outOfRange(.section(section), side) }
    guard fates[section] == .stays else { throw .listedTwice(.section(section), side) }
    fates[section] = fate
  }

  /// Takes a header alone.
  mutating func takeHeader(_ section: Int) throws(HostViolation) {
    try take(section, as: .stays)
    guard headers.insert(section).inserted else { throw .listedTwice(.section(section), side) }
  }

  private var headers: Set<Int> = []

  /// Takes a row, of a section that stays.
  mutating func take(_ path: ListPath) throws(HostViolation) {
    guard fates.indices.contains(path.section),
      isRowTaken[path.section].indices.contains(path.row)
    else { throw .outOfRange(.row(path), side) }
    switch (fates[path.section], side) {
    case (.stays, _): break
    case (.moves, _): throw .rowOfMovedSection(path, side)
    case (.goesOrComes, .new): throw .rowOfInsertedSection(path)
    case (.goesOrComes, _): throw .rowOfDeletedSection(path)
    }
    guard !isRowTaken[path.section][path.row] else { throw .listedTwice(.row(path), side) }
    isRowTaken[path.section][path.row] = true
  }
}
