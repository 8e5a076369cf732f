internal import Locking

/// Objects that are released after the lock of a tree.
struct RemovedObjects {
  // A commit of one object removes one. It takes no array.
  private var first: UnsafeRawPointer?
  private var others: ContiguousArray<UnsafeRawPointer> = []

  mutating func append(_ object: UnsafeRawPointer) {
    if first == nil { first = object } else { others.append(object) }
  }

  func release() {
    guard let first else { return }
    Unmanaged<AnyObject>.fromOpaque(first).release()
    for (place, object) in others.enumerated() {
      // The reference counts are loaded from memory together.
      if place + 16 < others.count { unsafePrefetch(others[place + 16]) }
      Unmanaged<AnyObject>.fromOpaque(object).release()
    }
  }
}
