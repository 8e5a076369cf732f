internal import Locking

/// The memory of a row, in which the object comes after the header.
@usableFromInline package class RowBox: ManagedBuffer<Void, UInt64> {
  /// The entity of the object.
  var entity: EntityDescription {
    mistake("A row is made by its entity's schema only")
  }

  /// The address of the object, which is valid while the row is held.
  final var object: UnsafeRawPointer {
    withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
  }
}
