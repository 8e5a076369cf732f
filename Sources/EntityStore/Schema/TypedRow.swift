internal import Locking

/// A row with the type of its object.
@usableFromInline final class TypedRow<Root: Entity>: RowBox {
  @inlinable static func make(_ value: consuming Root) -> RowBox {
    // Memory of an object is aligned to two words.
    if MemoryLayout<Root>.alignment > 2 * MemoryLayout<Int>.size {
      refuseAlignment(of: Root.entityName)
    }
    let words = (MemoryLayout<Root>.size + 7) / 8
    let row = unsafeDowncast(create(minimumCapacity: words) { _ in }, to: TypedRow<Root>.self)
    row.memory.assumingMemoryBound(to: Root.self).initialize(to: value)
    return row
  }

  @inlinable deinit { pointer.deinitialize(count: 1) }

  @inlinable var pointer: UnsafeMutablePointer<Root> {
    withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: Root.self)
    }
  }

  override var entity: EntityDescription { Root.schema.entity }
}
