@_spi(Storage) public import EntityStore

/// Rows of which a query gives sums, averages, extremes and counts: a snapshot, a section or a
/// group.
///
///     let cars = try FetchedObjectsModel(Query<Car>().aggregating { $0.price }, in: store)
///     try cars.snapshot.sum { $0.price }
///     try cars.sections[0].sum { $0.price }
///
/// In a window, the aggregates cover the whole result or section, including rows outside the
/// window: "12 of 340 cars, 1.2 million in all". If a commit changes an aggregate but no row in the
/// window, its event has no changes.
///
/// Aggregates are computed on access. Partial results are then kept in the tree of the rows, and
/// snapshots share them. The first access costs O(*n*) for *n* rows. After *k* of *n* rows have
/// changed since the last access, the next access costs O(*k* log *n*). If nothing has changed, it
/// costs nothing. A group has them from the beginning.
///
/// A view's list that couldn't be read yet, or has no store, has the aggregates of no rows.
///
/// - Precondition: The list is the result of a query. A list that is derived from one has no
///   aggregates.
public protocol AggregatedRows<Object> {
  /// The type of the objects.
  associatedtype Object: Entity

  /// The aggregates of all fields that the query aggregates.
  var aggregates: Aggregates<Object> { get }
}

/// The aggregates of some rows, for the fields that their query aggregates.
///
///     let all: Aggregates<Car> = cars.snapshot.aggregates
public struct Aggregates<Object: Entity>: Sendable {
  /// The plan of the query, or nil for a list of no store, whose fields aren't known.
  let plan: ResultPlan?
  let fields: [FieldSummary]

  /// Returns true if both have the same fields and results; sums beyond `Int` are the same.
  ///
  /// The aggregates may be those of two queries, which may have the fields in different orders.
  func showSame(as other: Aggregates) -> Bool {
    guard fields.count == other.fields.count else { return false }
    if plan === other.plan { return zip(fields, other.fields).allSatisfy { $0.showsSame(as: $1) } }
    guard let plan, let others = other.plan, let places = plan.aggregatedPlaces(in: others) else {
      return false
    }
    return zip(fields, places).allSatisfy { $0.showsSame(as: other.fields[$1]) }
  }

  fileprivate func callAsFunction<Value>(
    _ field: (Row<Object, Object>) -> Field<Object, Value>
  ) -> FieldSummary {
    guard let plan else { return FieldSummary() }
    return fields[plan.aggregatedPlace(Field(field).expression)]
  }
}

extension AggregatedRows {
  /// Returns the sum of a field of whole numbers; nil counts as nothing.
  ///
  /// - Precondition: the query aggregates the field.
  /// - Throws: `StoreError.overflow` if the sum doesn't fit in `Int`.
  public func sum<Value: Storable & FixedWidthInteger>(
    _ field: (Row<Object, Object>) -> Field<Object, Value>
  ) throws(StoreError) -> Int { try aggregates(field).wholeTotal(of: Object.entityName) }

  /// Returns the sum of a field of floating-point numbers; nil counts as nothing.
  ///
  /// The sum is exact and rounded once. It doesn't depend on the order of the rows or on their
  /// earlier values.
  ///
  /// - Precondition: the query aggregates the field.
  public func sum<Value: Storable & BinaryFloatingPoint>(
    _ field: (Row<Object, Object>) -> Field<Object, Value>
  ) -> Double { aggregates(field).real.total }

  /// Returns the average of a field of whole numbers, or nil if there are no numbers.
  ///
  /// - Precondition: the query aggregates the field.
  /// - Throws: `StoreError.overflow` if the sum doesn't fit in `Int`.
  public func average<Value: Storable & FixedWidthInteger>(
    _ field: (Row<Object, Object>) -> Field<Object, Value>
  ) throws(StoreError) -> Double? { try aggregates(field).wholeAverage(of: Object.entityName) }

  /// Returns the average of a field of floating-point numbers, or nil if there are no numbers.
  ///
  /// The average is the sum divided by the count. The average of finite numbers is finite, also if
  /// their sum is too large.
  ///
  /// - Precondition: the query aggregates the field.
  public func average<Value: Storable & BinaryFloatingPoint>(
    _ field: (Row<Object, Object>) -> Field<Object, Value>
  ) -> Double? { aggregates(field).realAverage }

  /// Returns the smallest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: the query aggregates the field.
  public func min<Value: Storable>(
    _ field: (Row<Object, Object>) -> Field<Object, Value>
  ) -> Value? {
    OrderOfCases.check(Value.self)
    return aggregates(field).least.map { stored in mustRead { try Value(storedValue: stored) } }
  }

  /// Returns the largest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: the query aggregates the field.
  public func max<Value: Storable>(
    _ field: (Row<Object, Object>) -> Field<Object, Value>
  ) -> Value? {
    OrderOfCases.check(Value.self)
    return aggregates(field).greatest.map { stored in mustRead { try Value(storedValue: stored) } }
  }

  /// Returns the number of values that aren't nil.
  ///
  /// - Precondition: the query aggregates the field.
  public func count<Value: Storable>(
    of field: (Row<Object, Object>) -> Field<Object, Value>
  ) -> Int { aggregates(field).count }
}

extension ListSnapshot: AggregatedRows where Row: ObjectView {
  /// The type of the objects.
  public typealias Object = Row.Object

  /// The aggregates of all rows of the result.
  public var aggregates: Aggregates<Row.Object> {
    if isOfNoStore { return Aggregates(plan: nil, fields: []) }
    let result = content.aggregatedResult
    return Aggregates(plan: result.plan, fields: result.base.summary.fields)
  }
}

extension SectionInfo: AggregatedRows where Row: ObjectView {
  /// The type of the objects.
  public typealias Object = Row.Object

  /// The aggregates of all rows of the section.
  public var aggregates: Aggregates<Row.Object> {
    let result = content.aggregatedResult
    return Aggregates(
      plan: result.plan,
      fields: result.base.summary(of: result.tree(ofSection: position)).fields)
  }
}
