import ListDiffing

/// What a view of UIKit shows, and how it carries out a batch: all changes at once, by their
/// positions alone.
///
/// Which row is which it doesn't know. What no change names stays, in the same order, and is taken
/// to be the same; so a wrong position makes it show another row than the data.
struct BatchDisplay {
  private(set) var drawn: [Section]

  init(_ list: [Section]) {
    drawn = list
  }

  /// Carries out a pass, or refuses it and stays as it is.
  mutating func carryOut(_ pass: ListPresentation.Pass, data: [Section]) throws(HostViolation) {
    guard !pass.isEmpty else { throw .emptyPass }
    var old = TakenPositions(.old, in: drawn)
    var new = TakenPositions(.new, in: data)
    for section in pass.deletedSections { try old.take(section, as: .goesOrComes) }
    for section in pass.insertedSections { try new.take(section, as: .goesOrComes) }
    for move in pass.movedSections {
      try old.take(move.old, as: .moves)
      try new.take(move.new, as: .moves)
      guard move.old != move.new else { throw .goesNowhere(.section(move.old)) }
    }
    for path in pass.deletes { try old.take(path) }
    for path in pass.inserts { try new.take(path) }
    for move in pass.moves {
      try old.take(move.old)
      try new.take(move.new)
      guard move.old != move.new else { throw .goesNowhere(.row(move.old)) }
    }

    // Each section that isn't drawn anew, with its old position.
    let (stayingOld, stayingNew) = (old.stayingSections, new.stayingSections)
    guard stayingOld.count == stayingNew.count else {
      let shown = drawn.count - pass.deletedSections.count + pass.insertedSections.count
      throw .sectionCount(shown: shown, data: data.count)
    }
    let kept = zip(stayingOld, stayingNew).map { PositionChange(old: $0, new: $1) }

    var result = data
    for section in kept + pass.movedSections {
      result[section.new].header = drawn[section.old].header
      let (stayingOld, stayingNew) = (
        old.stayingRows(in: section.old), new.stayingRows(in: section.new)
      )
      guard stayingOld.count == stayingNew.count else {
        let count = data[section.new].rows.count
        throw .rowCount(
          section: section.new, shown: count - stayingNew.count + stayingOld.count, data: count)
      }
      for (from, to) in zip(stayingOld, stayingNew) {
        result[section.new].rows[to] = drawn[section.old].rows[from]
      }
    }
    for move in pass.moves { result[move.new.section].rows[move.new.row] = drawn[move.old] }
    try result.verifyPlaces(data)
    drawn = result
  }

  /// Draws rows and headers anew.
  mutating func redraw(
    rows: [ListPath], headers: [Int], data: [Section]
  ) throws(HostViolation) {
    var result = drawn
    try result.redraw(rows: rows, headers: headers, data: data)
    drawn = result
  }
}
