/// How an attribute's stored form is read from an object in memory.
///
/// A stored property is read at its offset, which costs a few nanoseconds; a key path costs 28.
/// The pointer is to a whole, initialised `Root`, and the offset is the compiler's.
struct ColumnAccess<Root: Entity>: @unchecked Sendable {
  // @unchecked: a key path to a property captures nothing.
  let path: AnyKeyPath
  let read: (UnsafePointer<Root>) -> StoredValue

  init<Value: Storable>(_ path: KeyPath<Root, Value>) {
    self.path = path
    if let offset = MemoryLayout<Root>.offset(of: path) {
      read = { root in
        UnsafeRawPointer(root).advanced(by: offset)
          .assumingMemoryBound(to: Value.self).pointee.storedValue
      }
    } else {
      read = { root in root.pointee[keyPath: path].storedValue }
    }
  }
}
