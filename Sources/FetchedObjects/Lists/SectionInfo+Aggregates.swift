@_spi(Storage) public import EntityStore

/// Aggregates of a section, for the fields that the query aggregates.
///
///     let cars = try FetchedObjectsModel(Query<Car>().aggregating { $0.price }, in: store)
///     try cars.sections[0].sum { $0.price }
///
/// In a window, the aggregates cover the whole section, including its rows outside the window.
///
/// Aggregates are computed on access. Partial results are then kept in the tree of the rows, and
/// snapshots share them. The first access costs O(*n*) for *n* rows. After *k* of *n* rows have
/// changed since the last access, the next access costs O(*k* log *n*). If nothing has changed, it
/// costs nothing.
///
/// - Precondition: The list is the result of a query. A list that is derived from one has no
///   aggregates.
extension SectionInfo where Row: ObjectView {
  private func field<Value>(
    _ field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) -> FieldSummary {
    let result = content.aggregatedResult
    let place = result.plan.aggregatedPlace(Field(field).expression)
    return result.base.summary(of: result.tree(ofSection: position)).fields[place]
  }

  /// Returns the sum of a field of whole numbers; nil counts as nothing.
  ///
  /// - Precondition: the query aggregates the field.
  /// - Throws: `StoreError.overflow` if the sum doesn't fit in `Int`.
  public func sum<Value: Storable & FixedWidthInteger>(
    _ field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) throws(StoreError) -> Int { try self.field(field).wholeTotal(of: Row.Object.entityName) }

  /// Returns the sum of a field of floating-point numbers; nil counts as nothing.
  ///
  /// The sum is exact and rounded once. It doesn't depend on the order of the rows or on their
  /// earlier values.
  ///
  /// - Precondition: the query aggregates the field.
  public func sum<Value: Storable & BinaryFloatingPoint>(
    _ field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) -> Double { self.field(field).real.total }

  /// Returns the average of a field of whole numbers, or nil if there are no numbers.
  ///
  /// - Precondition: the query aggregates the field.
  /// - Throws: `StoreError.overflow` if the sum doesn't fit in `Int`.
  public func average<Value: Storable & FixedWidthInteger>(
    _ field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) throws(StoreError) -> Double? { try self.field(field).wholeAverage(of: Row.Object.entityName) }

  /// Returns the average of a field of floating-point numbers, or nil if there are no numbers.
  ///
  /// The average is the sum divided by the count.
  ///
  /// - Precondition: the query aggregates the field.
  public func average<Value: Storable & BinaryFloatingPoint>(
    _ field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) -> Double? { self.field(field).realAverage }

  /// Returns the smallest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: the query aggregates the field.
  public func min<Value: Storable>(
    _ field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) -> Value? {
    self.field(field).least.map { Value(aggregated: $0) }
  }

  /// Returns the largest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: the query aggregates the field.
  public func max<Value: Storable>(
    _ field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) -> Value? {
    self.field(field).greatest.map { Value(aggregated: $0) }
  }

  /// Returns the number of values that aren't nil.
  ///
  /// - Precondition: the query aggregates the field.
  public func count<Value: Storable>(
    of field: (EntityStore.Row<Row.Object, Row.Object>) -> Field<Row.Object, Value>
  ) -> Int {
    self.field(field).count
  }
}
