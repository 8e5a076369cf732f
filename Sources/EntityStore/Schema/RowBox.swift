internal import Locking

/// The memory of a row, in which the object comes after the header.
///
/// It is what code that is inlined into an app has of a row: such code may not use SPI.
@usableFromInline package class RowBox: ManagedBuffer<Void, UInt64> {
  var entity: EntityDescription {
    mistake("A row is made by its entity's schema only")
  }

  /// The address of the object, which is valid while the row is held.
  final var object: UnsafeRawPointer {
    withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
  }

  /// Returns the object of a row that is known to be one of `Root`.
  @inlinable final func _object<Root: Entity>() -> Root {
    withExtendedLifetime(self) { _pointer.assumingMemoryBound(to: Root.self).pointee }
  }

  @usableFromInline final var _pointer: UnsafeRawPointer { object }

  /// The same address, for the code that writes the object.
  ///
  /// It isn't inlined on purpose. The optimiser follows a value that is written through an inlined
  /// address, and doesn't see that others read it by another one. It then put an array or an object
  /// that was made for the row on the stack of the function that inserted it.
  @inline(never) @usableFromInline final var memory: UnsafeMutableRawPointer {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
  }
}
