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
}
