/// Rows as code that is inlined into an app gets them: such code may not use SPI.
@usableFromInline struct InlinedRows {
  let rows: [EntityRow]

  @usableFromInline var count: Int { rows.count }

  /// Returns the object of a row that is known to be one of `Root`.
  @inlinable func _object<Root: Entity>(at index: Int) -> Root {
    withExtendedLifetime(self) { _pointer(at: index).assumingMemoryBound(to: Root.self).pointee }
  }

  @usableFromInline func _pointer(at index: Int) -> UnsafeRawPointer { rows[index].unsafeObject }
}
