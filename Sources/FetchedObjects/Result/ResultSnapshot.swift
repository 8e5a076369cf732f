internal import EntityStore
internal import ListDiffing

/// One version of the store, as a result sees it.
///
/// Immutable; the next one shares what is the same.
final class ResultSnapshot: Sendable {
  let plan: ResultPlan
  let version: Int64
  let sections: PersistentList<ResultSection>
  /// The rows by id.
  let rows: PersistentMap<StoredValue, ResultRow>

  private init(
    _ plan: ResultPlan, version: Int64, sections: PersistentList<ResultSection>,
    rows: PersistentMap<StoredValue, ResultRow>
  ) {
    self.plan = plan
    self.version = version
    self.sections = sections
    self.rows = rows
    sections.checkInvariants()
  }

  /// The snapshot of rows that are in order.
  convenience init(_ plan: ResultPlan, rows: [ResultRow], version: Int64) {
    var sections: [ResultSection] = []
    var byID = PersistentMap<StoredValue, ResultRow>()
    var start = 0
    for (index, row) in rows.enumerated() {
      byID.set(row, for: row.id)
      if index + 1 == rows.count || plan.compare(row.section, rows[index + 1].section) != 0 {
        sections.append(
          ResultSection(key: row.section, rows: PersistentList(Array(rows[start...index]))))
        start = index + 1
      }
    }
    if sections.isEmpty && plan.sectionOrder.isEmpty {
      sections.append(ResultSection(key: .only, rows: PersistentList()))
    }
    self.init(plan, version: version, sections: PersistentList(sections), rows: byID)
  }

  var count: Int { rows.count }

  /// The ids of all rows.
  var ids: Set<StoredValue> {
    var ids: Set<StoredValue> = []
    rows.forEach { id, _ in ids.insert(id) }
    return ids
  }

  /// The row at a path.
  func row(at path: ListPath) -> ResultRow { sections[path.section].rows[path.row] }

  /// The position of the section with this key's order, or where it would be.
  func position(of key: SectionKey) -> Int {
    sections.partitioningIndex { plan.compare($0.key, key) >= 0 }
  }

  /// The position of the section with a key, if it is here.
  func section(_ key: SectionKey) -> Int? {
    let position = position(of: key)
    guard position < sections.count, sections[position].key.identity == key.identity,
      plan.compare(sections[position].key, key) == 0
    else { return nil }
    return position
  }

  /// The path of a row that is here.
  ///
  /// - Complexity: O(log *n*) comparisons.
  func path(of row: ResultRow) -> ListPath {
    let section = position(of: row.section)
    let rows = sections[section].rows
    return ListPath(section: section, row: rows.partitioningIndex { plan.compare($0, row) >= 0 })
  }

  /// The path of the object with an id, if it is here.
  func path(of id: StoredValue) -> ListPath? { rows[id].map { path(of: $0) } }

  // MARK: The next snapshot

  /// The part of a delta that makes a difference here.
  func relevant(_ delta: ResultDelta) -> ResultDelta {
    var relevant = delta
    relevant.rows = delta.rows.filter { id, new in
      switch (rows[id], new) {
      case (nil, nil): false
      case (let old?, let new?): new.differs(from: old)
      default: true
      }
    }
    return relevant
  }

  /// The snapshot after a commit.
  ///
  /// First all old rows are removed, compared by their old keys, then the new ones are inserted,
  /// compared by their new keys; in between no row is compared with one of another version.
  ///
  /// - Complexity: O(*k* log *n*) where *k* is the number of rows of the delta.
  func applying(_ delta: ResultDelta, version: Int64) -> ResultSnapshot {
    if delta.rows.count > 64 && delta.rows.count > rows.count / 8 {
      return rebuilt(with: delta, version: version)
    }
    var editor = SnapshotEditor(plan: plan, sections: sections, rows: rows)
    for id in delta.rows.keys { if let old = rows[id] { editor.remove(old) } }
    for case let row? in delta.rows.values { editor.insert(row) }
    return ResultSnapshot(plan, version: version, sections: editor.finish(), rows: editor.rows)
  }

  /// The snapshot after a commit that concerns a large part of it, sorted anew.
  private func rebuilt(with delta: ResultDelta, version: Int64) -> ResultSnapshot {
    var all: [ResultRow] = []
    sections.forEach { section in
      section.rows.forEach { row in if delta.rows[row.id] == nil { all.append(row) } }
    }
    for case let row? in delta.rows.values { all.append(row) }
    let plan = plan
    all.sort { a, b in
      let order = plan.compare(a.section, b.section)
      return order == 0 ? plan.compare(a, b) < 0 : order < 0
    }
    return ResultSnapshot(plan, rows: all, version: version)
  }
}
