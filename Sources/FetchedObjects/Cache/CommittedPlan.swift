internal import EntityStore
internal import ListDiffing

/// A request, worked out for a list that is kept from commits: what to read of an object, and how to compare.
///
/// It is all that such a list takes from the engine of models: which objects belong, what is read with them and whom
/// a commit may concern. The list, its order and its changes are its own.
final class CommittedPlan: Sendable {
  let plan: ResultPlan
  /// Whether rows hold their objects.
  let keepsObjects: Bool
  /// The keys of the order inside a section, before the id.
  private let order: [SortKey]
  private let keys: [CompiledExpression]
  /// Where the values that come with each row stand among its values.
  private let included: [QueryExpression: Int]

  init(_ query: QueryDescription, keepsObjects: Bool) {
    plan = ResultPlan(query)
    self.keepsObjects = keepsObjects
    order = query.orderings
    keys = order.map { CompiledExpression($0.expression, of: query.entity) }
    var included: [QueryExpression: Int] = [:]
    for value in query.includedValues { included[value] = plan.values.firstIndex(of: value) }
    self.included = included
  }

  /// The values of other objects that are shown with a row, by their paths.
  func shownValues(of row: CommittedRow) -> [QueryExpression: StoredValue] {
    included.compactMapValues { row.values?.all[$0] }
  }

  var isSectioned: Bool { plan.query.sectioning != nil }

  /// The row of an object as of a version, or nil if it doesn't belong.
  private func row(
    _ object: EntityRow, version: Int64, isDependent: Bool, reading reader: any StorageReader
  ) throws -> CommittedRow? {
    guard let row = try plan.row(object, reading: reader) else { return nil }
    let keys = try keys.map { try $0.uncheckedValue(of: object, reading: reader) }
    return self.row(
      row, keys: keys, section: plan.sectionKey(of: row), version: version,
      isDependent: isDependent)
  }

  private func row(
    _ row: ResultRow, keys: [StoredValue], section: SectionKey, version: Int64, isDependent: Bool
  ) -> CommittedRow {
    CommittedRow(
      id: row.id, keys: keys, section: section, values: row.values,
      object: keepsObjects ? row.row : nil, version: version, isDependent: isDependent)
  }

  /// What a commit may change: the object's id and its row after the commit, or nil.
  ///
  /// - Complexity: O(*k*) reads, where *k* is the number of objects concerned.
  func delta(
    of commit: Commit, reading reader: any StorageReader
  ) throws -> [(id: StoredValue, new: CommittedRow?)] {
    let table = commit.changes[plan.query.entity]
    var delta: [(id: StoredValue, new: CommittedRow?)] = []
    for change in table?.all ?? [] {
      let new = try change.new.flatMap {
        try row($0, version: commit.version, isDependent: false, reading: reader)
      }
      delta.append((change.id, new))
    }
    var dependents: Set<StoredValue> = []
    for read in plan.reads {
      dependents.formUnion(try read.concerned(by: commit.changes, reading: reader))
    }
    for id in dependents where table?[id] == nil {
      let object = try reader.row(of: plan.query.entity, id: id)
      let new = try object.flatMap {
        try row($0, version: commit.version, isDependent: true, reading: reader)
      }
      delta.append((id, new))
    }
    return delta
  }

  /// The whole list at the reader's version.
  func fetch(_ reader: any StorageReader) throws -> CommittedList {
    let rows = try reader.fetch(
      FetchPlan(plan.query, values: plan.values + order.map(\.expression)))
    var list: [CommittedSection] = []
    for fetched in rows {
      let row = plan.resultRow(
        fetched.row, values: Array(fetched.values.prefix(plan.values.count)))
      let key = plan.sectionKey(of: row)
      if list.isEmpty || plan.compare(list[list.count - 1].key, key) != 0 {
        list.append(CommittedSection(key: key, rows: []))
      }
      // The rows of a section share its key.
      let section = list[list.count - 1].key
      list[list.count - 1].rows.append(
        self.row(
          row, keys: Array(fetched.values.suffix(order.count)), section: section,
          version: reader.version, isDependent: false))
    }
    return CommittedList(self, version: reader.version, sections: list)
  }

  /// Negative, 0 or positive as a row of a section comes before, is or comes after another one of it.
  func compare(_ a: CommittedRow, _ b: CommittedRow) -> Int {
    for index in order.indices {
      let result = order[index].compare(a.keys[index], b.keys[index])
      if result != 0 { return result }
    }
    return a.id < b.id ? -1 : a.id == b.id ? 0 : 1
  }
}
