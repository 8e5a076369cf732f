internal import EntityStore

/// A snapshot on its way to the next one.
///
/// The rows of a touched section are taken out once and put back at the end, so that each node on
/// the way to a change is copied once, however many changes there are.
struct SnapshotEditor {
  fileprivate struct Section {
    var key: SectionKey
    var rows: PersistentList<ResultRow>
  }

  private let plan: ResultPlan
  private var sections: PersistentList<ResultSection>
  private(set) var rows: PersistentMap<StoredValue, ResultRow>
  /// The touched sections, by the values that they are ordered by.
  private var touched: [[StoredValue]: Section] = [:]

  init(
    plan: ResultPlan, sections: PersistentList<ResultSection>,
    rows: PersistentMap<StoredValue, ResultRow>
  ) {
    self.plan = plan
    self.sections = sections
    self.rows = rows
  }

  /// Removes a row of the snapshot, found by its old keys.
  mutating func remove(_ row: ResultRow) {
    rows.remove(row.id)
    touch(row.section)
    touched[row.section.order]?.remove(row, plan)
  }

  /// Inserts a row by its new keys, after all removals.
  mutating func insert(_ row: ResultRow) {
    rows.set(row, for: row.id)
    touch(row.section)
    touched[row.section.order]?.insert(row, plan)
  }

  private mutating func touch(_ key: SectionKey) {
    guard touched[key.order] == nil else { return }
    let position = position(of: key)
    let rows = isSection(key, at: position) ? sections[position].rows : PersistentList()
    touched[key.order] = Section(key: key, rows: rows)
  }

  private func position(of key: SectionKey) -> Int {
    sections.partitioningIndex { plan.compare($0.key, key) >= 0 }
  }

  private func isSection(_ key: SectionKey, at position: Int) -> Bool {
    position < sections.count && plan.compare(sections[position].key, key) == 0
  }

  /// The sections with what was taken out put back.
  ///
  /// No section is left empty, but for the one of a result without sections.
  mutating func finish() -> PersistentList<ResultSection> {
    for section in touched.values {
      section.rows.checkInvariants()
      let position = position(of: section.key)
      let isHere = isSection(section.key, at: position)
      if section.rows.isEmpty && !plan.sectionOrder.isEmpty {
        if isHere { sections.remove(at: position) }
      } else {
        let finished = ResultSection(key: section.key, rows: section.rows)
        if isHere {
          sections.replace(at: position, with: finished)
        } else {
          sections.insert(finished, at: position)
        }
      }
    }
    return sections
  }
}

extension SnapshotEditor.Section {
  mutating func remove(_ row: ResultRow, _ plan: ResultPlan) {
    rows.remove(at: rows.partitioningIndex { plan.compare($0, row) >= 0 })
  }

  mutating func insert(_ row: ResultRow, _ plan: ResultPlan) {
    rows.insert(row, at: rows.partitioningIndex { plan.compare($0, row) >= 0 })
    // The title of a section is that of the newest row: all rows agree on it.
    key = row.section
  }
}
