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
