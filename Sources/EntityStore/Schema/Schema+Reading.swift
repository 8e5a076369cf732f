extension Schema {
  /// The schema with objects made of their stored values by hand, for an entity whose reading is where
  /// the time goes.
  ///
  ///     static let attributes = Attributes(
  ///       .id(\Car.id), .attribute("model", \.model), .attribute("year", \.year))
  ///     static let schema = Schema(attributes, Car.init).reading { row in
  ///       Car(id: try row.next(), model: try row.next(), year: try row.next())
  ///     }
  ///
  /// It must give what the initialiser gives: the first objects that a store inserts are tried.
  ///
  /// - Parameter make: makes an object of the values, which come in the order of the attributes.
  /// - Returns: the schema.
  @inlinable public func reading(
    _ make: @escaping @Sendable (inout StoredRow) throws -> Root
  ) -> Schema {
    // Inlinable, so that the app's module makes its own type.
    _reading { row in EntityRow(_object: try make(&row)) }
  }

  @usableFromInline func _reading(
    _ make: @escaping @Sendable (inout StoredRow) throws -> EntityRow
  ) -> Schema {
    Schema(entity: EntityDescription(entity) { try StoredRow.read(&$0, make) }, of: self)
  }
}

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
