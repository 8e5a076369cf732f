extension Schema {
  /// Returns the schema with a custom function that makes objects of their stored values.
  ///
  /// Use it for an entity if reading it takes most of the time.
  ///
  ///     static let attributes = Attributes(
  ///       .id(\Car.id), .attribute("model", \.model), .attribute("year", \.year))
  ///     static let schema = Schema(attributes, Car.init).reading { row in
  ///       Car(id: try row.next(), model: try row.next(), year: try row.next())
  ///     }
  ///
  /// It must make the same objects as the initialiser. The store checks this with the first objects
  /// that it inserts.
  ///
  /// - Parameter make: makes an object of the values, which are read in the order of the
  ///   attributes.
  /// - Returns: the schema.
  @inlinable public func reading(
    _ make: @escaping @Sendable (inout StoredRow) throws -> Root
  ) -> Schema {
    // Inlinable, so that the app's module makes its own type.
    _reading { row in TypedRow.make(try make(&row)) }
  }

  @usableFromInline func _reading(
    _ make: @escaping @Sendable (inout StoredRow) throws -> RowBox
  ) -> Schema {
    Schema(core.parts, core.rules) { try StoredRow.read(&$0, make) }
  }
}
