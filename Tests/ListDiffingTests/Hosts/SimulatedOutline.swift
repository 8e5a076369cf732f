import ListDiffing

/// An outline view of AppKit, sections being its items and rows their children.
///
/// "Changes happen incrementally as they are sent to the table": it carries out one step after the
/// other, each against what the steps before have left.
///
/// - A step names a row or section that is there at that moment, or for an insert a place that is.
/// - A move is "similar to removing a row and inserting it, except the same view is used": the
///   target counts without it, and nothing is drawn anew.
/// - An inserted row is drawn from the data at the path of the step; a section with all its rows.
///   The data are the new ones from the first step on.
/// - After the last step it shows what the data have.
struct SimulatedOutline: SimulatedHost {
  private(set) var drawn: [Section]

  init(showing list: [Section]) {
    drawn = list
  }

  mutating func carryOut(_ pass: ListPresentation.Pass, data: [Section]) throws(HostViolation) {
    guard !pass.isEmpty else { throw .emptyPass }
    try carryOut(pass.steps, data: data)
  }

  mutating func carryOut(_ steps: [ListPresentation.Step], data: [Section]) throws(HostViolation) {
    var result = self
    for step in steps { try result.carryOut(step, data: data) }
    try result.drawn.verifyPlaces(data)
    self = result
  }

  private mutating func carryOut(_ step: ListPresentation.Step, data: [Section])
    throws(HostViolation)
  {
    switch step {
    case .deleteSection(let section):
      _ = try takeOut(section)
    case .insertSection(let section):
      guard data.indices.contains(section) else { throw .outOfRange(.section(section), .new) }
      try put(data[section], at: section)
    case .moveSection(let old, let new):
      try put(takeOut(old), at: new)
    case .deleteRow(let path):
      _ = try takeOut(path)
    case .insertRow(let path):
      guard data.indices.contains(path.section),
        data[path.section].rows.indices.contains(path.row)
      else { throw .outOfRange(.row(path), .new) }
      try put(data[path], at: path)
    case .moveRow(let old, let new):
      try put(takeOut(old), at: new)
    }
  }

  private mutating func takeOut(_ section: Int) throws(HostViolation) -> Section {
    guard drawn.indices.contains(section) else { throw .outOfRange(.section(section), .current) }
    return drawn.remove(at: section)
  }

  private mutating func put(_ content: Section, at section: Int) throws(HostViolation) {
    guard 0...drawn.count ~= section else { throw .outOfRange(.section(section), .current) }
    drawn.insert(content, at: section)
  }

  private mutating func takeOut(_ path: ListPath) throws(HostViolation) -> Row {
    guard drawn.indices.contains(path.section),
      drawn[path.section].rows.indices.contains(path.row)
    else { throw .outOfRange(.row(path), .current) }
    return drawn[path.section].rows.remove(at: path.row)
  }

  private mutating func put(_ content: Row, at path: ListPath) throws(HostViolation) {
    guard drawn.indices.contains(path.section), 0...drawn[path.section].rows.count ~= path.row
    else { throw .outOfRange(.row(path), .current) }
    drawn[path.section].rows.insert(content, at: path.row)
  }

  mutating func reload(
    rows: [ListPath], headers: [Int], data: [Section]
  ) throws(HostViolation) {
    var result = drawn
    try result.redraw(rows: rows, headers: headers, data: data)
    drawn = result
  }
}
