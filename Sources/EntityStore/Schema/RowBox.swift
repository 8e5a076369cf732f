internal import Locking

/// A row's memory: the object stands behind the header.
@usableFromInline package class RowBox: ManagedBuffer<Void, UInt64> {
  /// What kind of object it is.
  var entity: EntityDescription {
    mistake("A row is made by its entity's schema only")
  }

  /// The object, for as long as the row is held.
  final var object: UnsafeRawPointer {
    withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
  }
}
