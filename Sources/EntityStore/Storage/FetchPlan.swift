/// A request to a storage: the objects to read, and their order.
///
///     func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
///       let matching: [FetchedRow] = …
///       return try plan.sorted(matching, reading: self)
///     }
@_spi(Storage) public struct FetchPlan: Sendable {
  /// The entity of the objects.
  public let entity: EntityDescription
  /// The condition, or nil for all objects.
  public private(set) var filter: QueryExpression?
  /// The order.
  ///
  /// It is empty if any order will do. Otherwise the last key is the id, so that no two objects are
  /// equal in the order.
  public private(set) var order: [SortKey]
  /// The other expressions to evaluate for each object.
  public private(set) var values: [QueryExpression]
  /// The number of objects to return at most, or nil for all.
  public private(set) var limit: Int?
  /// The number of objects at the start of the order that are left out.
  public private(set) var offset: Int

  /// Creates the plan of a query, with `values` for each object.
  ///
  /// If the query counts from the end, the plan has the reverse of its order.
  package init(_ query: QueryDescription, values: [QueryExpression] = []) {
    let order = query.fullOrder
    entity = query.entity
    filter = query.filter
    self.order = query.isFromEnd ? order.map(\.reversed) : order
    self.values = values
    limit = query.limit
    offset = query.offset
  }

  /// Creates the plan for an entity's objects, ordered by keys and then by id.
  package init(
    of entity: EntityDescription, where filter: QueryExpression? = nil, by order: [SortKey] = [],
    limit: Int? = nil
  ) {
    var query = QueryDescription(entity: entity)
    query.filter = filter
    query.orderings = order
    query.limit = limit
    self.init(query)
  }

  private func changed(_ change: (inout FetchPlan) -> Void) -> FetchPlan {
    var plan = self
    change(&plan)
    return plan
  }

  /// Returns the plan at an instant: moments become constants.
  package func pinned(at instant: Double) -> FetchPlan {
    changed {
      $0.filter = filter?.pinned(at: instant)
      $0.order = order.map { $0.pinned(at: instant) }
      $0.values = values.map { $0.pinned(at: instant) }
    }
  }

  /// True if a part of the plan is a condition of time.
  package var isTimed: Bool { expressions.contains(where: \.isTimed) }

  /// The plan without limit and offset.
  var unlimited: FetchPlan { changed { ($0.limit, $0.offset) = (nil, 0) } }

  /// Returns the plan of the rows from the first to the last that this one asks for, and of `more`
  /// rows that follow.
  func fromStart(and more: Int) -> FetchPlan {
    changed { ($0.limit, $0.offset) = (end.map { min($0, Int.max - more) + more }, 0) }
  }

  /// Returns the plan with other values.
  package func with(values: [QueryExpression]) -> FetchPlan { changed { $0.values = values } }

  package var withoutValues: FetchPlan { with(values: []) }

  /// The condition, the keys of the order, and the values.
  var expressions: [QueryExpression] {
    [filter].compactMap { $0 } + order.map(\.expression) + values
  }

  /// True if whole numbers of several objects are added up, which may throw.
  var hasWholeSums: Bool { expressions.contains(where: \.hasWholeSums) }

  /// Returns the plan without some objects, for which nothing is evaluated.
  func leavingOut(_ ids: Set<StoredValue>) -> FetchPlan {
    if ids.isEmpty { return self }
    let id = QueryExpression.column(entity.identity, of: entity)
    // A condition on the object alone comes first. The others aren't evaluated if it is false.
    var parts: [QueryExpression] = [.not(.isIn(id, Array(ids)))]
    switch filter {
    case nil: break
    case .and(let filters): parts += filters
    case let filter?: parts.append(filter)
    }
    return changed { $0.filter = .and(parts) }
  }

  package var unordered: FetchPlan { changed { $0.order = [] } }

  /// Returns the part of ordered rows that limit and offset leave.
  public func limited<Row>(_ rows: [Row]) -> [Row] {
    if limit == nil && offset == 0 { return rows }
    let rest = rows.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// The number of rows from the first one to the last that the plan asks for; nil for all.
  package var end: Int? {
    guard let limit else { return nil }
    let (end, isTooFar) = offset.addingReportingOverflow(limit)
    return isTooFar ? nil : end
  }

  /// Returns the positions that limit and offset leave of `count` ordered rows.
  func positions(of count: Int) -> Range<Int> {
    let lower = min(offset, count)
    return lower..<min(count, lower + min(limit ?? count, count))
  }
}
