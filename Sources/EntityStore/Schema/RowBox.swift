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

  /// The same address, for the code that writes the object.
  ///
  /// It isn't inlined on purpose. The optimiser follows a value that is written through an inlined
  /// address, and doesn't see that others read it by another one. It then put an array or an object
  /// that was made for the row on the stack of the function that inserted it.
  @inline(never) @usableFromInline final var memory: UnsafeMutableRawPointer {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
  }
}
