/// How an attribute is read from an object in memory.
///
/// A stored property is read at its offset, which costs a few nanoseconds; a key path costs 28.
/// The pointers are to a whole, initialised object of the entity's type, and the offset is the
/// compiler's.
struct ColumnAccess: @unchecked Sendable {
  // @unchecked: a key path to a property captures nothing.
  let path: AnyKeyPath
  /// Where the property stands and as what, if it is of a type that conditions read directly.
  let place: UnsafeFieldPlace?
  /// The stored form.
  let read: (UnsafeRawPointer) -> StoredValue
  /// Whether two objects, the first made of the second's stored values, have different values.
  ///
  /// It is asked where the stored forms differ, which alone doesn't say so: a type of the app's may
  /// store a value in another way each time.
  let isOtherValue: (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  init<Root, Value: Storable>(_ path: KeyPath<Root, Value>) {
    self.init(path) { value in
      value.storedValue
    } isOtherValue: { again, value in
      !areEqual(again, value) && Self.isSteady(value)
    }
  }

  /// Whether a value has the same stored form whenever it comes back from it.
  private static func isSteady<Value: Storable>(_ value: Value) -> Bool {
    let stored = value.storedValue
    return (0..<16).allSatisfy { _ in (try? Value(storedValue: stored))?.storedValue == stored }
  }

  /// Reads a property whose stored form `store` gives.
  init<Root, Value>(
    _ path: KeyPath<Root, Value>, store: @escaping (Value) -> StoredValue,
    isOtherValue: @escaping (Value, Value) -> Bool = { _, _ in true }
  ) {
    self.path = path
    self.isOtherValue = { again, row in
      isOtherValue(
        again.assumingMemoryBound(to: Root.self).pointee[keyPath: path],
        row.assumingMemoryBound(to: Root.self).pointee[keyPath: path])
    }
    guard let offset = MemoryLayout<Root>.offset(of: path) else {
      place = nil
      read = { root in store(root.assumingMemoryBound(to: Root.self).pointee[keyPath: path]) }
      return
    }
    place = UnsafeFieldPlace(Value.self, at: offset)
    read =
      place?.reader ?? { root in
        store(root.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee)
      }
  }

  /// Whether the attribute has the same stored form in two objects.
  func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    place?.isEqual(a, b) ?? (read(a) == read(b))
  }
}

/// Whether two values of a type that can be compared are equal.
private func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
  func isEqual<Some: Equatable>(_ a: Some) -> Bool { a == b as? Some }
  return (a as? any Equatable).map { isEqual($0) } ?? false
}
