@_spi(Storage) public import EntityStore

extension EntityView {
  /// The values that a row can read of its related objects, such as `row.cars.count`.
  ///
  ///     let people = try FetchedObjectsModel(
  ///       Query<Person>().including {
  ///         $0.cars.count
  ///         $0.cars.filter { $0.year < 2000 }.max { $0.price }
  ///       }, in: store)
  ///     for row in people.snapshot.rows {
  ///       print(row.cars.count, row.cars.filter { $0.year < 2000 }.max { $0.price } ?? 0)
  ///     }
  ///
  /// To read a value, repeat the expression by which it is included. Another expression traps, even
  /// if it means the same. To know whether there are any objects, include their `count`.
  ///
  /// - Precondition: The query or the observed object includes the value.
  public struct IncludedRows<Target: Entity>: Sendable {
    private let values: RowValues?
    private let included: InclusionTree
    /// The path to the objects, from the entity of the result's rows, and their condition.
    private let rows: Rows<E, Target>

    init(_ values: RowValues?, _ included: InclusionTree, _ rows: Rows<E, Target>) {
      self.values = values
      self.included = included
      self.rows = rows
    }

    /// Returns those of the objects that also meet these conditions, one on each line.
    public func filter(
      @Condition<Target>.Builder _ condition: (Row<Target, Target>) -> Condition<Target>
    ) -> IncludedRows { IncludedRows(values, included, rows.filter(condition)) }

    private func value<Value: Storable>(_ expression: QueryExpression) -> Value? {
      included.value(expression, of: values)
    }

    /// The number of objects.
    public var count: Int { value(rows.count.expression) ?? 0 }

    /// True if there are no objects; the query has to include their `count`.
    public var isEmpty: Bool { count == 0 }

    /// Returns the number of objects that meet a condition.
    public func count(
      @Condition<Target>.Builder _ condition: (Row<Target, Target>) -> Condition<Target>
    ) -> Int { filter(condition).count }

    /// Returns the sum of a whole number.
    public func sum<Value: Storable & FixedWidthInteger>(
      _ field: (Row<Target, Target>) -> Field<Target, Value>
    ) -> Int { value(rows.sum(field).expression) ?? 0 }

    /// Returns the sum of a number with a fraction, or NaN if infinities of both signs were added.
    public func sum<Value: Storable & BinaryFloatingPoint>(
      _ field: (Row<Target, Target>) -> Field<Target, Value>
    ) -> Double { value(rows.sum(field).expression) ?? .nan }

    /// Returns the average of a whole number, or nil if there is none.
    public func average<Value: Storable & FixedWidthInteger>(
      _ field: (Row<Target, Target>) -> Field<Target, Value>
    ) -> Double? { value(rows.average(field).expression) }

    /// Returns the average of a number with a fraction, or nil if there is none.
    public func average<Value: Storable & BinaryFloatingPoint>(
      _ field: (Row<Target, Target>) -> Field<Target, Value>
    ) -> Double? { value(rows.average(field).expression) }

    /// Returns the smallest value, or nil if there is none.
    public func min<Value: Storable>(
      _ field: (Row<Target, Target>) -> Field<Target, Value>
    ) -> Value? { value(rows.min(field).expression) }

    /// Returns the largest value, or nil if there is none.
    public func max<Value: Storable>(
      _ field: (Row<Target, Target>) -> Field<Target, Value>
    ) -> Value? { value(rows.max(field).expression) }

    /// Returns the value of each object, in an order.
    public func values<Value: Storable>(
      by order: (Row<Target, Target>) -> [Ordering<Target>] = { _ in [] },
      _ field: (Row<Target, Target>) -> Field<Target, Value>
    ) -> [Value] {
      guard case .list(let list) = included.stored(rows.list(by: order, field), of: values) else {
        return []
      }
      return mustRead { try list.map { try Value(storedValue: $0) } }
    }
  }
}
