internal import EntityStore
internal import ListDiffing

/// One row of a list that is kept from commits.
final class CommittedRow: Sendable {
  let id: StoredValue
  /// The values of the order's keys.
  let keys: [StoredValue]
  let section: SectionKey
  /// What the request reads of other objects.
  let values: RowValues?
  /// The object, unless the list keeps positions only.
  let object: EntityRow?
  /// The version that the row is known to have been like this at first.
  let version: Int64
  /// Whether the object itself is as it was, and only what it reads of others may differ.
  let isDependent: Bool

  init(
    id: StoredValue, keys: [StoredValue], section: SectionKey, values: RowValues?,
    object: EntityRow?, version: Int64, isDependent: Bool
  ) {
    self.id = id
    self.keys = keys
    self.section = section
    self.values = values
    self.object = object
    self.version = version
    self.isDependent = isDependent
  }

  /// Whether a row that a commit may have changed differs from what it was.
  func differs(from old: CommittedRow) -> Bool {
    !isDependent || values?.all != old.values?.all
  }
}

/// A section and its rows, in order.
struct CommittedSection: Sendable {
  var key: SectionKey
  var rows: ContiguousArray<CommittedRow>
}

/// What a commit did to one row.
struct CommittedChange: Sendable {
  let old: CommittedRow?
  let new: CommittedRow?
}

/// One version of a list that is kept from commits: sorted arrays, one for each section.
///
/// It is immutable. The next version shares the sections that aren't touched.
final class CommittedList: Sendable {
  let plan: CommittedPlan
  let version: Int64
  let sections: [CommittedSection]

  /// The list of sections that are in order, and whose rows are.
  init(_ plan: CommittedPlan, version: Int64, sections: [CommittedSection]) {
    self.plan = plan
    self.version = version
    self.sections =
      sections.isEmpty && !plan.isSectioned
      ? [CommittedSection(key: .only, rows: [])] : sections
  }

  var rowCounts: [Int] { sections.map(\.rows.count) }

  /// Whether a path is in the list.
  func contains(_ path: ListPath) -> Bool {
    path.section >= 0 && path.row >= 0 && path.section < sections.count
      && path.row < sections[path.section].rows.count
  }

  /// The row at a path.
  ///
  /// - Precondition: The path is in the list.
  subscript(path: ListPath) -> CommittedRow { sections[path.section].rows[path.row] }

  /// The position of the section with a key's order, or nil.
  ///
  /// - Complexity: O(log *s*) comparisons, where *s* is the number of sections.
  func section(_ key: SectionKey) -> Int? {
    let position = Self.position(of: key, in: sections, plan.plan)
    guard position < sections.count, plan.plan.compare(sections[position].key, key) == 0 else {
      return nil
    }
    return position
  }

  /// The path of a row that is in this version.
  ///
  /// - Complexity: O(log *n*) comparisons, where *n* is the number of rows.
  func path(of row: CommittedRow) -> ListPath {
    guard let section = section(row.section) else {
      preconditionFailure("A tracked list is asked for a row of a section that it doesn't have")
    }
    return ListPath(
      section: section, row: Self.position(of: row, in: sections[section].rows, plan))
  }

  // MARK: The next version

  /// The list after a commit.
  ///
  /// First all old rows are taken out, compared by what they were, then the new ones are put in, compared by what
  /// they are.
  ///
  /// - Complexity: O(*k* log *n*) comparisons and a copy of the sections touched, where *k* is the number of changes
  ///   and *n* that of rows.
  func applying(_ changes: [CommittedChange], version: Int64) -> CommittedList {
    var removed: [[StoredValue]: [Int]] = [:]
    var added: [[StoredValue]: [CommittedRow]] = [:]
    var keys: [[StoredValue]: SectionKey] = [:]
    for change in changes {
      if let old = change.old {
        removed[old.section.order, default: []].append(path(of: old).row)
        keys[old.section.order] = keys[old.section.order] ?? old.section
      }
      if let new = change.new {
        added[new.section.order, default: []].append(new)
        // A section's title is that of its newest row: all rows agree on it.
        keys[new.section.order] = new.section
      }
    }
    var sections = sections
    for (order, key) in keys {
      let position = Self.position(of: key, in: sections, plan.plan)
      let isHere =
        position < sections.count && plan.plan.compare(sections[position].key, key) == 0
      let rows = Self.rows(
        isHere ? sections[position].rows : [], without: (removed[order] ?? []).sorted(),
        with: (added[order] ?? []).sorted { plan.compare($0, $1) < 0 }, plan)
      if rows.isEmpty && plan.isSectioned {
        if isHere { sections.remove(at: position) }
      } else if isHere {
        sections[position].rows = rows
        if added[order] != nil { sections[position].key = key }
      } else {
        sections.insert(CommittedSection(key: key, rows: rows), at: position)
      }
    }
    return CommittedList(plan, version: version, sections: sections)
  }

  /// Rows without those at some positions and with others, all in order.
  private static func rows(
    _ rows: ContiguousArray<CommittedRow>, without removed: [Int], with added: [CommittedRow],
    _ plan: CommittedPlan
  ) -> ContiguousArray<CommittedRow> {
    var kept: ContiguousArray<CommittedRow> = []
    kept.reserveCapacity(rows.count - removed.count)
    var start = 0
    for position in removed {
      kept.append(contentsOf: rows[start..<position])
      start = position + 1
    }
    kept.append(contentsOf: rows[start...])
    if added.isEmpty { return kept }
    var result: ContiguousArray<CommittedRow> = []
    result.reserveCapacity(kept.count + added.count)
    start = 0
    for row in added {
      let position = position(of: row, in: kept, plan)
      result.append(contentsOf: kept[start..<position])
      result.append(row)
      start = position
    }
    result.append(contentsOf: kept[start...])
    return result
  }

  private static func position(
    of key: SectionKey, in sections: [CommittedSection], _ plan: ResultPlan
  ) -> Int {
    sections.partitioningPosition { plan.compare($0.key, key) >= 0 }
  }

  private static func position(
    of row: CommittedRow, in rows: ContiguousArray<CommittedRow>, _ plan: CommittedPlan
  ) -> Int {
    rows.partitioningPosition { plan.compare($0, row) >= 0 }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first position from which on a test that is false and then true is true.
  fileprivate func partitioningPosition(where isLater: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isLater(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
