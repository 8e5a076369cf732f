import ListDiffing

/// A view with a diffable data source: it knows identifiers, works the difference out itself, and
/// draws an identifier once.
///
/// - "The supplied identifiers are not unique": a snapshot has each section and each row once. So
///   copies are numbered.
/// - What has the same identifier in both snapshots keeps the content it was drawn with, unless it
///   is reconfigured.
///
/// What it takes from a pass is only what it has to reconfigure: what the pass inserts though the
/// identifier was there before. To the pass that is another row, so no reload follows. Copies are
/// reconfigured each time, since with their numbers they change places.
struct SimulatedDiffableSource: SimulatedHost {
  private let isNumbering: Bool
  private var snapshot: DiffableSnapshot
  private var headers: [DiffableSnapshot.Identifier: Row] = [:]
  private var cells: [DiffableSnapshot.Identifier: Row] = [:]

  init(showing list: [Section]) {
    self.init(showing: list, isNumbering: true)
  }

  /// Draws a whole list, and tells copies of an identifier apart or refuses them.
  init(showing list: [Section], isNumbering: Bool) {
    self.isNumbering = isNumbering
    snapshot = DiffableSnapshot(of: list, isNumbering: isNumbering)
    for (section, content) in list.enumerated() {
      headers[snapshot.sections[section]] = content.header
      for (row, value) in content.rows.enumerated() { cells[snapshot.items[section][row]] = value }
    }
  }

  var drawn: [Section] {
    zip(snapshot.sections, snapshot.items).compactMap { section, items in
      headers[section].map { Section(header: $0, rows: items.compactMap { cells[$0] }) }
    }
  }

  mutating func carryOut(_ pass: ListPresentation.Pass, data: [Section]) throws(HostViolation) {
    guard !pass.isEmpty else { throw .emptyPass }
    let new = DiffableSnapshot(of: data, isNumbering: isNumbering)
    try new.verifyUnique()
    var inserted = TakenPositions(.new, in: data)
    for section in pass.insertedSections { try inserted.take(section, as: .goesOrComes) }
    for path in pass.inserts { try inserted.take(path) }

    let copies = snapshot.copies.union(new.copies)
    let headerCopies = snapshot.headerCopies.union(new.headerCopies)
    var (headers, cells) = (headers, cells)
    (self.headers, self.cells) = ([:], [:])
    for (section, identifier) in new.sections.enumerated() {
      let isInserted = inserted.fates[section] != .stays
      if isInserted || headerCopies.contains(identifier.id) { headers[identifier] = nil }
      self.headers[identifier] = headers[identifier] ?? data[section].header
      for (row, item) in new.items[section].enumerated() {
        if isInserted || inserted.isRowTaken[section][row] || copies.contains(item.id) {
          cells[item] = nil
        }
        self.cells[item] = cells[item] ?? data[section].rows[row]
      }
    }
    snapshot = new
  }

  mutating func reload(
    rows: [ListPath], headers: [Int], data: [Section]
  ) throws(HostViolation) {
    var result = drawn
    try result.redraw(rows: rows, headers: headers, data: data)
    for section in headers { self.headers[snapshot.sections[section]] = result[section].header }
    for path in rows { cells[snapshot.items[path.section][path.row]] = result[path] }
  }
}
