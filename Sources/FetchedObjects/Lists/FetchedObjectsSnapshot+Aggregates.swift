public import EntityStore

// `Row` alone is what a snapshot has in it, so the row of a query is `EntityStore.Row`.

/// Numbers about a result, of the fields that the query aggregates.
///
///     let cars = try FetchedObjectsModel(Query<Car>().aggregating { $0.price }, in: store)
///     try cars.snapshot.sum { $0.price }
///
/// In a window they are those of the whole result, as `totalCount` is: "12 of 340 cars, 1.2 million in
/// all". A commit that changes them and no row in the window is told as an event without changes.
///
/// They are worked out when they are asked for and then kept with the tree that the rows are in, as partial
/// results that snapshots share. So asking costs O(*k* log *n*) after *k* of *n* rows have changed since
/// somebody asked, O(*n*) for the first time, and nothing again.
extension FetchedObjectsSnapshot {
  private func summary<Value>(_ field: (EntityStore.Row<E, E>) -> Field<E, Value>) -> FieldSummary {
    let place = result.plan.aggregatedPlace(Field(field).expression)
    return result.base.summary.fields[place]
  }

  /// The sum of a whole number; nil counts for nothing.
  ///
  /// - Precondition: the query aggregates the field.
  /// - Throws: `StoreError.overflow` if it is beyond `Int`.
  public func sum<Value: Storable & FixedWidthInteger>(
    _ field: (EntityStore.Row<E, E>) -> Field<E, Value>
  ) throws(StoreError) -> Int { try summary(field).wholeTotal(of: E.entityName) }

  /// The sum of a number with a fraction; nil counts for nothing.
  ///
  /// It is exact and rounded once, so neither the order of the rows nor what they were before can be
  /// seen in it.
  ///
  /// - Precondition: the query aggregates the field.
  public func sum<Value: Storable & BinaryFloatingPoint>(
    _ field: (EntityStore.Row<E, E>) -> Field<E, Value>
  ) -> Double { summary(field).real.total }

  /// The average of a whole number, or nil if there is none.
  ///
  /// - Precondition: the query aggregates the field.
  /// - Throws: `StoreError.overflow` if the sum is beyond `Int`.
  public func average<Value: Storable & FixedWidthInteger>(
    _ field: (EntityStore.Row<E, E>) -> Field<E, Value>
  ) throws(StoreError) -> Double? { try summary(field).wholeAverage(of: E.entityName) }

  /// The average of a number with a fraction, or nil if there is none: the sum by the count.
  ///
  /// - Precondition: the query aggregates the field.
  public func average<Value: Storable & BinaryFloatingPoint>(
    _ field: (EntityStore.Row<E, E>) -> Field<E, Value>
  ) -> Double? { summary(field).realAverage }

  /// The smallest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: the query aggregates the field.
  public func min<Value: Storable>(_ field: (EntityStore.Row<E, E>) -> Field<E, Value>) -> Value? {
    summary(field).least.map { Value(aggregated: $0) }
  }

  /// The largest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: the query aggregates the field.
  public func max<Value: Storable>(_ field: (EntityStore.Row<E, E>) -> Field<E, Value>) -> Value? {
    summary(field).greatest.map { Value(aggregated: $0) }
  }

  /// How many values there are that aren't nil.
  ///
  /// - Precondition: the query aggregates the field.
  public func count<Value: Storable>(of field: (EntityStore.Row<E, E>) -> Field<E, Value>) -> Int {
    summary(field).count
  }
}
