/// Aggregates over the objects of a query.
///
///     let all = Query<Car>().filter { $0.year > 1990 }
///     try store.sum(of: all) { $0.mileage }          // nil counts for nothing
///     try store.counts(of: all) { $0.owner.name }    // for each name, nil first
///
/// Each call looks at each object once. A field may step through references. A file and a server
/// read the field alone where SQL can express it. An object is no error there if only its other
/// attributes can't be read.
extension StoreReading where Self: ~Copyable {
  /// Returns the sum of a whole number; nil is left out.
  ///
  /// - Throws: ``StoreError/overflow(entity:)`` if the sum is beyond `Int`, or ``StoreError`` if
  ///   the objects can't be read.
  public func sum<E: Entity, Value: Storable & FixedWidthInteger>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>
  ) throws -> Int { try numbers(query, field).wholeTotal(of: E.entityName) }

  /// Returns the sum of a number with a fraction; nil is left out.
  ///
  /// The sum is exact and rounded once, so the order of the objects doesn't matter. It is infinite
  /// if it is too large.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func sum<E: Entity, Value: Storable & BinaryFloatingPoint>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>
  ) throws -> Double { try numbers(query, field).real.total }

  /// Returns the average of a whole number, or nil if there is none.
  ///
  /// - Throws: ``StoreError/overflow(entity:)`` if the sum is beyond `Int`, or ``StoreError`` if
  ///   the objects can't be read.
  public func average<E: Entity, Value: Storable & FixedWidthInteger>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>
  ) throws -> Double? { try numbers(query, field).wholeAverage(of: E.entityName) }

  /// Returns the average of a number with a fraction, or nil if there is none.
  ///
  /// The exact sum is rounded, and so is the quotient. The order of the objects doesn't matter. The
  /// average of finite numbers is finite, also if their sum is too large.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func average<E: Entity, Value: Storable & BinaryFloatingPoint>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>
  ) throws -> Double? { try numbers(query, field).realAverage }

  /// Returns the smallest value in the order of stored forms, or nil if there is none.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public func min<E: Entity, Value: Storable>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>
  ) throws -> Value? {
    OrderOfCases.check(Value.self)
    return try summary(query, field) { $0.add($1, isNumber: false) }.least
      .map { try Value(storedValue: $0) }
  }

  /// Returns the largest value in the order of stored forms, or nil if there is none.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public func max<E: Entity, Value: Storable>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>
  ) throws -> Value? {
    OrderOfCases.check(Value.self)
    return try summary(query, field) { $0.add($1, isNumber: false) }.greatest
      .map { try Value(storedValue: $0) }
  }

  /// Returns the number of objects that have each value, in the order of stored forms, nil first.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func counts<E: Entity, Value: Storable>(
    of query: Query<E>, by field: (Row<E, E>) -> Field<E, Value>
  ) throws -> [(value: Value?, count: Int)] {
    var counts: [StoredValue: Int] = [:]
    try forEachValue(query, field) { counts[$0, default: 0] += 1 }
    return try counts.sorted { $0.key < $1.key }.map { value, count in
      (try Value?(storedValue: value), count)
    }
  }

  // MARK: How

  package func forEachValue<E: Entity, Value>(
    _ query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>,
    _ body: (StoredValue) throws -> Void
  ) throws {
    let expression = field(Row(steps: [])).expression
    try withStorageReader { reader in
      let plan = pinned(FetchPlan(query.description, values: [expression]), for: reader)
      let isOrdered = plan.limit != nil || plan.offset > 0
      try reader.forEachValues(isOrdered ? plan : plan.unordered) { try body($0[0]) }
    }
  }

  private func numbers<E: Entity, Value: Storable>(
    _ query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>
  ) throws -> FieldSummary {
    try summary(query, field) { numbers, value in
      guard numbers.addNumber(value) else {
        throw StoredValue.Mismatch(value, type: Value.self)
      }
    }
  }

  private func summary<E: Entity, Value: Storable>(
    _ query: Query<E>, _ field: (Row<E, E>) -> Field<E, Value>,
    _ add: (inout FieldSummary, StoredValue) throws -> Void
  ) throws -> FieldSummary {
    var summary = FieldSummary()
    try forEachValue(query, field) { value in
      guard !value.isNull else { return }
      try add(&summary, value)
      // Digits have room for 2^30 numbers.
      if summary.count % (1 << 20) == 0 { summary.normalize() }
    }
    return summary
  }
}
