internal import EntityStore

/// A query, worked out: what to read for a row, how to compare rows, and whom to follow.
final class ResultPlan: Sendable {
  /// Where a key comes from.
  private enum Source: Sendable {
    case column(Int)
    case value(Int)
  }

  let query: QueryDescription
  /// What is read for each row besides its own attributes: the values on declared paths, whether
  /// included objects are there, and keys that aren't plain attributes.
  let values: [QueryExpression]
  private let filter: CompiledExpression?
  private let readers: [CompiledExpression]
  private let keys: [Source]
  private let sectionKeys: [Source]
  private let title: Source?
  /// What the query reads of other objects.
  let reads: [ForeignRead]
  /// Commits that touch none of these don't concern the query.
  let entities: Set<EntityDescription>
  let sectionOrder: [SortKey]
  /// What comes with each row of other objects.
  let included: InclusionTree

  init(_ query: QueryDescription) {
    precondition(
      query.limit == nil && query.offset == 0,
      "A model follows a whole result; leave .limit out of its query")
    self.query = query
    sectionOrder = query.sectionOrder
    let title: QueryExpression? =
      switch query.sectioning {
      case nil: nil
      case .key(let expression): expression
      case .parts(_, let title, _): title
      }
    var values: [QueryExpression] = []
    var places: [QueryExpression: Int] = [:]
    func declare(_ expression: QueryExpression) {
      if places[expression] == nil {
        places[expression] = values.count
        values.append(expression)
      }
    }
    func source(_ expression: QueryExpression) -> Source {
      if case .attribute(let path) = expression, path.steps.isEmpty { return .column(path.column) }
      declare(expression)
      return .value(places[expression] ?? 0)
    }
    query.filter?.forEachForeignPart(declare)
    keys = query.orderings.map { source($0.expression) }
    sectionKeys = sectionOrder.map { source($0.expression) }
    self.title = title.map(source)
    for path in query.included where !path.steps.isEmpty {
      for end in path.steps.indices {
        let steps = Array(path.steps[...end])
        declare(
          .attribute(
            AttributePath(
              root: query.entity, steps: steps, column: path.steps[end].target.identity)))
      }
      declare(.attribute(path))
    }
    self.values = values
    filter = query.filter.map { CompiledExpression($0, of: query.entity) }
    readers = values.map { CompiledExpression($0, of: query.entity) }
    included = InclusionTree(
      query.entity, query.included.filter { !$0.steps.isEmpty },
      place: { places[.attribute($0)] })
    let expressions = values + [query.filter].compactMap { $0 }
    reads = Array(Set(expressions.flatMap { ForeignRead.all(in: $0) }))
    entities = Set([query.entity]).union(reads.flatMap { $0.steps.map(\.target) })
  }

  // MARK: Rows

  /// The row of the result for an object, or nil if the filter leaves it out.
  func row(_ row: EntityRow, reading reader: any StorageReader) throws -> ResultRow? {
    if let filter, !(try filter.isTrue(of: row, reading: reader)) { return nil }
    return resultRow(row, values: try readers.map { try $0.value(of: row, reading: reader) })
  }

  /// The row of the result for an object that belongs, whose values have been read.
  func resultRow(_ row: EntityRow, values: [StoredValue]) -> ResultRow {
    func value(_ source: Source) -> StoredValue {
      switch source {
      case .column(let column): row.value(at: column)
      case .value(let place): values[place]
      }
    }
    var section = SectionKey.only
    if let title {
      let name = value(title)
      section = SectionKey(
        order: sectionKeys.map(value), title: name.isNull ? "" : name.description)
    }
    return ResultRow(row: row, values: values, keys: keys.map(value), section: section)
  }

  // MARK: Order

  /// Negative, 0 or positive as `a` stands before, at or after `b` within their section.
  func compare(_ a: ResultRow, _ b: ResultRow) -> Int {
    for index in query.orderings.indices {
      let order = query.orderings[index].compare(a.keys[index], b.keys[index])
      if order != 0 { return order }
    }
    return a.id.compare(to: b.id)
  }

  /// Negative, 0 or positive as section `a` stands before, at or after `b`.
  func compare(_ a: SectionKey, _ b: SectionKey) -> Int {
    for index in sectionOrder.indices {
      let order = sectionOrder[index].compare(a.order[index], b.order[index])
      if order != 0 { return order }
    }
    return 0
  }

  // MARK: Commits

  /// What a commit brings for this query: for each object it may concern, its row or nil.
  ///
  /// - Complexity: O(*k*) reads, where *k* is the number of objects concerned.
  func delta(of changes: NetChanges, reading reader: any StorageReader) throws -> ResultDelta {
    var rows: [StoredValue: ResultRow?] = [:]
    for change in changes[query.entity]?.all ?? [] {
      rows.updateValue(try change.new.flatMap { try row($0, reading: reader) }, forKey: change.id)
    }
    for read in reads {
      for id in try read.concerned(by: changes, reading: reader) where rows[id] == nil {
        let object = try reader.row(of: query.entity, id: id)
        rows.updateValue(try object.flatMap { try row($0, reading: reader) }, forKey: id)
      }
    }
    return ResultDelta(rows: rows)
  }

  /// The whole result at the reader's version.
  func fetch(_ reader: any StorageReader) throws -> ResultSnapshot {
    let rows = try reader.fetch(FetchPlan(query, values: values))
    return ResultSnapshot(
      self, rows: rows.map { resultRow($0.row, values: $0.values) }, version: reader.version)
  }
}

/// The rows that a commit may concern, as they are after it; nil for those that don't belong.
struct ResultDelta: Sendable {
  var rows: [StoredValue: ResultRow?]
}
