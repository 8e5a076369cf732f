/// Takes the stored values of an object, attribute after attribute.
///
/// Text comes as it is in the object, so that nothing is made of it on the way.
package protocol ColumnSink: AnyObject {
  /// A whole number.
  func take(_ number: Int64, at column: Int) throws
  /// A number with a fraction.
  func take(_ number: Double, at column: Int) throws
  /// Text.
  func take(_ text: String, at column: Int) throws
  /// Any value.
  func take(_ value: StoredValue, at column: Int) throws
}

extension EntityRow {
  /// Hands the stored forms of the attributes at `columns` to a sink, in that order.
  ///
  /// - Throws: what the sink throws.
  package func hand(_ columns: [Int], to sink: some ColumnSink) throws {
    try withExtendedLifetime(box) {
      let entity = box.entity
      let object = box.object
      for column in columns {
        guard let place = entity.fieldPlaces[column] else {
          try sink.take(entity.access[column].read(object), at: column)
          continue
        }
        try place.hand(object, at: column, to: sink)
      }
    }
  }
}

extension UnsafeFieldPlace {
  /// Hands the stored form to a sink.
  fileprivate func hand(
    _ object: UnsafeRawPointer, at column: Int, to sink: some ColumnSink
  ) throws {
    switch kind {
    case .int: try sink.take(object.load(fromByteOffset: offset, as: Int64.self), at: column)
    case .int32:
      try sink.take(Int64(object.load(fromByteOffset: offset, as: Int32.self)), at: column)
    case .string: try sink.take(object.load(fromByteOffset: offset, as: String.self), at: column)
    case .double:
      let number = object.load(fromByteOffset: offset, as: Double.self)
      // Stored as 0.0 if it is -0.0 (S8).
      try sink.take(number == 0 ? 0 : number, at: column)
    case .bool:
      try sink.take(object.load(fromByteOffset: offset, as: Bool.self) ? 1 : 0 as Int64, at: column)
    case .optionalInt:
      try handOptional(object.load(fromByteOffset: offset, as: Int64?.self), at: column, to: sink)
    case .optionalDouble:
      try handOptional(object.load(fromByteOffset: offset, as: Double?.self), at: column, to: sink)
    case .optionalString:
      guard let text = object.load(fromByteOffset: offset, as: String?.self) else {
        return try sink.take(StoredValue.null, at: column)
      }
      try sink.take(text, at: column)
    }
  }

  private func handOptional<Value: Storable>(
    _ value: Value?, at column: Int, to sink: some ColumnSink
  ) throws {
    try sink.take(value.storedValue, at: column)
  }
}
