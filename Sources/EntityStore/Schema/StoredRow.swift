/// The stored values of one row, handed out in the order of the schema's attributes.
///
/// - Precondition: each attribute's value is asked for once, as the type of its property.
public struct StoredRow: ~Copyable {
  private var reader: UnsafeColumnReader

  private init(_ reader: UnsafeColumnReader) { self.reader = reader }

  static func read(
    _ reader: inout UnsafeColumnReader, _ make: (inout StoredRow) throws -> EntityRow
  ) throws -> EntityRow {
    var row = StoredRow(reader)
    return try make(&row)
  }

  /// The value of the next attribute.
  ///
  /// - Throws: ``StoreError/unreadable(_:attribute:found:)`` if what is stored is no such value.
  public mutating func next<Value: Sendable>(_ type: Value.Type = Value.self) throws -> Value {
    reader.checkNext(type)
    return try reader.next(type)
  }
}
