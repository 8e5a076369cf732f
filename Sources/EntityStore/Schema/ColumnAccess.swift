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

  init<Root, Value: Storable>(_ path: KeyPath<Root, Value>) {
    self.init(path) { $0.storedValue }
  }

  /// Reads a property whose stored form `store` gives.
  init<Root, Value>(_ path: KeyPath<Root, Value>, store: @escaping (Value) -> StoredValue) {
    self.path = path
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
