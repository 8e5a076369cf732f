@_spi(Storage) internal import EntityStore

/// The rows near windows: the first rows of a result, its last rows, or those around one row.
///
/// It keeps the rows that windows may show, and a reserve beyond them. They are a small result of
/// their own. Each row that isn't kept comes before all of them, or after all of them. So a commit
/// that changes only such rows costs the filter and two comparisons for each version of an object,
/// before and after, however many rows there are (F7). When rows have left and the reserve is used
/// up, the rows are read again, with a reserve twice as large. When rows have come and there are
/// twice as many, those far from the windows are dropped.
struct NearRows: Sendable {
  /// The greatest number of rows that are kept beyond those that windows may show, on each side.
  static let mostReserve = 8192

  /// The rows that are kept.
  enum Place: Sendable {
    /// The first rows of the result, and how many of them windows may show.
    case first(Int)
    /// The last rows of the result, and how many of them windows may show.
    case last(Int)
    /// The rows around the anchor of a window.
    case around
  }

  /// The numbers of rows that have to be kept, before a place in the order and after it.
  struct Needs: Sendable {
    var before: Int
    var after: Int

    /// Returns true if the rows kept around a position are enough, or if there are no more.
    func areMet(at position: Int, of count: Int, in extent: WindowExtent) -> Bool {
      (position >= before || extent.rowsBefore == 0)
        && (count - position >= after || extent.rowsBefore + count == extent.totalCount)
    }
  }

  /// The plan of the rows, with their included values.
  let plan: ResultPlan
  let place: Place

  /// Returns true if a window of a query without sums can be a range of such rows.
  ///
  /// The place of a row in the order, and whether it is in the result, must not depend on other
  /// objects.
  static func canServe(_ plan: ResultPlan) -> Bool {
    !plan.hasDecidingReads
  }

  /// Returns true if the rows around one can be read alone, by a condition on their keys.
  static func canServeAround(_ plan: ResultPlan) -> Bool {
    canServe(plan) && plan.query.aggregated.isEmpty && !plan.isTimed
      && plan.query.fullOrder.allSatisfy { $0.collation == .stored }
  }

  func needs(_ window: ResultWindow?) -> Needs {
    switch place {
    case .first(let count): Needs(before: 0, after: count)
    case .last(let count): Needs(before: count, after: 0)
    case .around:
      Needs(before: window?.anchor?.before ?? 0, after: (window?.anchor?.after ?? 0) + 1)
    }
  }

  /// Returns the needs at a position among `count` kept rows.
  ///
  /// If no row follows the position, the window stays around the last one before it.
  func needs(_ window: ResultWindow?, at position: Int, of count: Int) -> Needs {
    var needs = needs(window)
    if case .around = place, position == count { needs.before += 1 }
    return needs
  }

  /// Returns the numbers of rows to keep with a reserve.
  func kept(_ needs: Needs, _ reserve: Int) -> Needs {
    switch place {
    case .first: Needs(before: 0, after: needs.after + reserve)
    case .last: Needs(before: needs.before + reserve, after: 0)
    case .around: Needs(before: needs.before + reserve, after: needs.after + reserve)
    }
  }

  /// Returns the same rows without those that no window shows.
  ///
  /// If they are the first or the last rows, windows show `count` of them.
  func showing(_ count: Int) -> NearRows {
    // With no row at all, the number of the others wouldn't be known.
    switch place {
    case .first: NearRows(plan: plan, place: .first(max(1, count)))
    case .last: NearRows(plan: plan, place: .last(max(1, count)))
    case .around: self
    }
  }

  // MARK: Reading

  /// Counts that are known before rows are read.
  struct Counts: Sendable {
    /// The number of all rows.
    var total: Int?
    /// The number of rows before the place.
    var before: Int?
  }

  /// Returns the rows at the reader's version, with their position in the result.
  ///
  /// It reads `reserve` rows beyond those that windows may show, on each side. If that is 0, it
  /// reads no other row. The rows are around the pivot, or were around it before it was deleted.
  func fetch(
    _ needs: Needs, _ reserve: Int, around pivot: EntityRow? = nil, _ counts: Counts = Counts(),
    reading reader: any StorageReader
  ) throws -> ResultSnapshot {
    var wanted = kept(needs, reserve)
    let key = try pivot.map { try NearKey(of: $0, in: plan.query, reading: reader) }
    func rows(_ limit: Int, _ condition: QueryExpression?, fromEnd: Bool) throws -> [ResultRow] {
      if limit == 0 { return [] }
      var query = plan.query
      query.add(condition)
      (query.limit, query.isFromEnd) = (limit, fromEnd)
      let rows = try reader.fetch(FetchPlan(query, values: plan.values))
      return rows.map { plan.resultRow($0.row, values: $0.values) }
    }
    func count(_ condition: QueryExpression?) throws -> Int {
      var query = plan.query
      query.add(condition)
      return try reader.count(query.entity, where: query.filter)
    }
    let after = try rows(wanted.after, key?.isAtOrAfter, fromEnd: false)
    // If no row follows the place, the last one before it takes it.
    if pivot != nil, reserve > 0 || after.isEmpty { wanted.before += 1 }
    let before = try rows(wanted.before, key?.isBefore, fromEnd: true)
    let all = before.reversed() + after
    let isFirst = before.count < wanted.before || pivot == nil && wanted.before == 0
    let isLast = after.count < wanted.after || wanted.after == 0
    var extent = WindowExtent(rowsBefore: 0, totalCount: all.count)
    switch (isFirst, isLast) {
    case (true, true): break
    case (true, false): extent.totalCount = try counts.total ?? count(nil)
    case (false, true):
      let total = try counts.before.map { $0 + after.count } ?? counts.total ?? count(nil)
      extent = WindowExtent(rowsBefore: total - all.count, totalCount: total)
    case (false, false):
      let rowsBefore = try counts.before ?? count(key?.isBefore)
      extent.rowsBefore = rowsBefore - before.count
      extent.totalCount = try counts.total ?? count(nil)
    }
    return ResultSnapshot(plan, rows: Array(all), version: reader.version)
      .placed(at: extent, version: reader.version)
  }

  /// Returns the rows around the anchor of a window, or around the place that it had.
  ///
  /// It throws `StoreError.notFound` if the result doesn't have the anchor and never had it.
  func fetch(
    around anchor: WindowAnchor?, _ needs: Needs, _ reserve: Int, reading reader: any StorageReader
  ) throws -> ResultSnapshot {
    guard let anchor else { return try fetch(needs, reserve, reading: reader) }
    let entity = plan.query.entity
    if let row = try reader.row(of: entity, id: anchor.id),
      try plan.meetsFilter(row, reading: reader)
    {
      return try fetch(needs, reserve, around: row, reading: reader)
    }
    guard let last = anchor.row else {
      throw StoreError.notFound(ObjectID(entityName: entity.name, id: anchor.id))
    }
    return try fetch(needs, reserve, around: last.row, reading: reader)
  }
}

extension QueryDescription {
  /// Adds a condition that rows must meet, too.
  fileprivate mutating func add(_ condition: QueryExpression?) {
    guard let condition else { return }
    filter = filter.map { .and([$0, condition]) } ?? condition
  }
}
