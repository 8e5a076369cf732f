/// The stored values of one row, read in the order of the schema's attributes.
///
///     Schema(attributes, Car.init).reading { row in
///       Car(id: try row.next(), model: try row.next(), year: try row.next())
///     }
///
/// - Precondition: each attribute's value is read once, as the type of its property.
public struct StoredRow: ~Copyable {
  private var reader: UnsafeColumnReader

  private init(_ reader: UnsafeColumnReader) { self.reader = reader }

  static func read(
    _ reader: inout UnsafeColumnReader, _ make: (inout StoredRow) throws -> RowBox
  ) throws -> RowBox {
    var row = StoredRow(reader)
    return try make(&row)
  }

  /// Returns the value of the next attribute.
  ///
  /// - Throws: ``StoreError/unreadable(_:attribute:found:)`` if the stored value isn't one of the
  ///   type.
  public mutating func next<Value: Sendable>(_ type: Value.Type = Value.self) throws -> Value {
    reader.checkNext(type)
    return try reader.next(type)
  }
}
