import ListDiffing

/// A table view of AppKit: as ``SimulatedOutline``, with one section and no header.
struct SimulatedTableColumn: SimulatedHost {
  private var outline: SimulatedOutline

  init(showing list: [Section]) {
    outline = SimulatedOutline(showing: list)
  }

  var drawn: [Section] { outline.drawn }

  mutating func carryOut(_ pass: ListPresentation.Pass, data: [Section]) throws(HostViolation) {
    guard !pass.isEmpty else { throw .emptyPass }
    try carryOut(pass.steps, data: data)
  }

  mutating func carryOut(_ steps: [ListPresentation.Step], data: [Section]) throws(HostViolation) {
    for step in steps where !step.isFlat { throw .notFlat("\(step)") }
    try outline.carryOut(steps, data: data)
  }

  mutating func reload(
    rows: [ListPath], headers: [Int], data: [Section]
  ) throws(HostViolation) {
    for section in headers { throw .notFlat("reload the header of section \(section)") }
    for path in rows where path.section != 0 { throw .notFlat("reload \(path)") }
    try outline.reload(rows: rows, headers: [], data: data)
  }
}

extension ListPresentation.Step {
  /// Whether it changes rows of section 0 and nothing else.
  fileprivate var isFlat: Bool {
    switch self {
    case .deleteSection, .insertSection, .moveSection: false
    case .deleteRow(let path), .insertRow(let path): path.section == 0
    case .moveRow(let old, let new): old.section == 0 && new.section == 0
    }
  }
}
