/// What a storage is asked for.
public struct FetchPlan: Sendable {
  /// What the objects are.
  public let entity: EntityDescription
  /// The condition, or nil for all.
  public let filter: QueryExpression?
  /// The order.
  ///
  /// Empty where any order will do; otherwise the last key is the id, so that no two objects are equal
  /// in it.
  public let order: [SortKey]
  /// What to evaluate for each object besides.
  public let values: [QueryExpression]
  /// The most objects to give, or nil for all.
  public let limit: Int?
  /// How many objects at the head of the order are left out.
  public let offset: Int

  /// The plan of a query, with `values` for each object.
  package init(_ query: QueryDescription, values: [QueryExpression] = []) {
    self.init(
      entity: query.entity, filter: query.filter, order: query.fullOrder, values: values,
      limit: query.limit, offset: query.offset)
  }

  private init(
    entity: EntityDescription, filter: QueryExpression?, order: [SortKey],
    values: [QueryExpression], limit: Int?, offset: Int
  ) {
    self.entity = entity
    self.filter = filter
    self.order = order
    self.values = values
    self.limit = limit
    self.offset = offset
  }

  /// The plan without limit and offset.
  var unlimited: FetchPlan {
    FetchPlan(
      entity: entity, filter: filter, order: order, values: values, limit: nil, offset: 0)
  }

  /// The plan without an order.
  var unordered: FetchPlan {
    FetchPlan(
      entity: entity, filter: filter, order: [], values: values, limit: limit, offset: offset)
  }

  /// What limit and offset leave of rows in order.
  public func limited<Row>(_ rows: [Row]) -> [Row] {
    if limit == nil && offset == 0 { return rows }
    let rest = rows.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// The positions that limit and offset leave of so many rows in order.
  func positions(of count: Int) -> Range<Int> {
    let lower = min(offset, count)
    return lower..<min(count, lower + min(limit ?? count, count))
  }

  /// `rows` in the plan's order and within its limit, for storages whose language can't say it.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  public func sorted(_ rows: [FetchedRow], reading reader: any StorageReader) throws
    -> [FetchedRow]
  {
    var sorting = Sorting(CompiledPlan(self))
    for row in rows { try sorting.add(row.row, reading: reader) }
    sorting.sort()
    return sorting.items[positions(of: rows.count)].map { rows[Int($0.place)] }
  }

  /// The rows of the plan for objects that belong, in its order and with its values.
  func fetched(
    _ sorting: inout Sorting, _ compiled: CompiledPlan, reading reader: any StorageReader
  ) throws -> [FetchedRow] {
    sorting.sort()
    return try sorting.items[positions(of: sorting.items.count)].map { item in
      let row = sorting.row(item)
      return FetchedRow(
        row: row,
        values: try compiled.values.map { try $0.uncheckedValue(of: row, reading: reader) })
    }
  }
}

/// A plan with its expressions made ready.
struct CompiledPlan {
  let entity: EntityDescription
  let filter: CompiledExpression?
  let order: [SortKey]
  let keys: [CompiledExpression]
  let values: [CompiledExpression]

  init(_ plan: FetchPlan) {
    entity = plan.entity
    filter = plan.filter.map { CompiledExpression($0, of: plan.entity) }
    order = plan.order
    keys = plan.order.map { CompiledExpression($0.expression, of: plan.entity) }
    values = plan.values.map { CompiledExpression($0, of: plan.entity) }
  }
}

/// One object that a storage found.
public struct FetchedRow: Sendable {
  /// The object.
  public let row: EntityRow
  /// What the plan's `values` are for it.
  public let values: [StoredValue]

  /// An object with its values.
  public init(row: EntityRow, values: [StoredValue]) {
    self.row = row
    self.values = values
  }
}
