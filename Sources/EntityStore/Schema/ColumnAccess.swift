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
  /// The stored form that an object's value has once it has come back from its own, if that is another one.
  ///
  /// It is nil where it can't be told for sure.
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

  /// The stored form that a value has whenever it has come back from its own; nil if that is now this, now that.
  private static func formAgain<Value: Storable>(of value: Value) -> StoredValue? {
    let stored = value.storedValue
    guard let again = (try? Value(storedValue: stored))?.storedValue else { return nil }
    let isSteady = (0..<16).allSatisfy { _ in
      value.storedValue == stored && (try? Value(storedValue: stored))?.storedValue == again
    }
    return isSteady ? again : nil
  }

  /// Reads a property whose stored form `store` gives.
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
