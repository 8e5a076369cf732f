/// The functions that read an attribute from an object in memory.
///
/// A stored property is read at its offset, which takes a few nanoseconds; a key path takes 28. The
/// pointers point to a whole, initialised object of the entity's type, and the offset is the
/// compiler's.
struct ColumnAccess: @unchecked Sendable {
  // @unchecked: a key path to a property captures nothing.
  let path: AnyKeyPath
  /// The offset and the type of the property, if conditions read its type directly.
  let place: UnsafeFieldPlace?
  let read: (UnsafeRawPointer) -> StoredValue
  /// The function that returns true if two objects have different values.
  ///
  /// The first object is made of the second's stored values. The function is called if the stored
  /// forms differ. That alone doesn't mean that the values differ: an app's type may store a value
  /// in another way each time.
  let isOtherValue: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  /// The function that returns the stored form of a value after it was stored and read back.
  ///
  /// It returns nil if that is the same stored form, or can't be known for certain.
  let lossyForm: (UnsafeRawPointer) -> StoredValue?

  init<Root, Value: Storable>(_ path: KeyPath<Root, Value>) {
    self.init(path) { value in
      value.storedValue
    } isOtherValue: { again, value in
      !areEqual(again, value) && Self.formAgain(of: value) == value.storedValue
    } lossyForm: { value in
      let stored = value.storedValue
      guard let again = Self.formAgain(of: value), again != stored,
        let other = try? Value(storedValue: stored), !areEqual(other, value),
        value is any Equatable || value is any RawRepresentable
      else { return nil }
      return again
    }
  }

  /// Returns the stored form of a value after it was stored and read back, or nil if it varies.
  private static func formAgain<Value: Storable>(of value: Value) -> StoredValue? {
    let stored = value.storedValue
    guard let again = (try? Value(storedValue: stored))?.storedValue else { return nil }
    let isSteady = (0..<16).allSatisfy { _ in
      value.storedValue == stored && (try? Value(storedValue: stored))?.storedValue == again
    }
    return isSteady ? again : nil
  }

  init<Root, Value>(
    _ path: KeyPath<Root, Value>, store: @escaping (Value) -> StoredValue,
    isOtherValue: @escaping (Value, Value) -> Bool = { _, _ in true },
    lossyForm: @escaping (Value) -> StoredValue? = { _ in nil }
  ) {
    self.path = path
    self.lossyForm = { row in
      lossyForm(row.assumingMemoryBound(to: Root.self).pointee[keyPath: path])
    }
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

  /// Returns true if the attribute has the same stored form in two objects.
  func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    place?.isEqual(a, b) ?? (read(a) == read(b))
  }
}

/// Returns true if two values of a type that can be compared are equal.
private func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
  func isEqual<Some: Equatable>(_ a: Some) -> Bool { a == b as? Some }
  return (a as? any Equatable).map { isEqual($0) } ?? false
}
