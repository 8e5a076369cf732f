@_spi(Storage) internal import EntityStore

extension ListSnapshot where Row: ObjectView {
  /// The shown objects, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of objects.
  @inlinable public var objects: [Row.Object] {
    // Specialised for the entity's type at the call. The path to the rows isn't generic.
    isResult ? _objects(count) { forEachPart($0) } : rows.map(\.value)
  }

  @usableFromInline var isResult: Bool { content.result != nil }

  /// Calls `body` with batches of pointers to all objects of a result.
  ///
  /// Each points to an object of the row's type and is valid during the call.
  @usableFromInline func forEachPart(_ body: (UnsafeBufferPointer<UnsafeRawPointer>) -> Void) {
    guard let result = content.result else { return }
    result.forEachPart(of: Row.Object.self, in: 0..<result.sectionCount, body)
  }
}

extension SectionInfo where Row: ObjectView {
  /// The objects of the section, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows.
  @inlinable public var objects: [Row.Object] {
    isResult ? _objects(count) { forEachPart($0) } : rows.map(\.value)
  }

  @usableFromInline var isResult: Bool { content.result != nil }

  /// Calls `body` with batches of pointers to the objects of a result.
  ///
  /// Each points to an object of the row's type and is valid during the call.
  @usableFromInline func forEachPart(_ body: (UnsafeBufferPointer<UnsafeRawPointer>) -> Void) {
    content.result?.forEachPart(of: Row.Object.self, in: position..<position + 1, body)
  }
}

/// Returns an array of `count` objects.
///
/// `forEachPart` gives pointers to them in batches.
@inlinable func _objects<E>(
  _ count: Int, _ forEachPart: ((UnsafeBufferPointer<UnsafeRawPointer>) -> Void) -> Void
) -> [E] {
  // All arrays of capacity 0 share their memory, and the initializer would write to it.
  if count == 0 { return [] }
  return [E](unsafeUninitializedCapacity: count) { objects, initialized in
    var next = 0
    forEachPart { part in
      precondition(part.count <= count - next, "A snapshot has more objects than it says")
      for place in part {
        objects.initializeElement(at: next, to: place.assumingMemoryBound(to: E.self).pointee)
        next &+= 1
      }
    }
    initialized = next
  }
}

extension ResultView {
  /// Calls `body` with batches of pointers to the shown objects of some sections, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of these objects.
  fileprivate func forEachPart<E: Entity>(
    of type: E.Type, in sections: Range<Int>,
    _ body: (UnsafeBufferPointer<UnsafeRawPointer>) -> Void
  ) {
    let reader = UnsafeResultReader(self, of: type, in: sections)
    withExtendedLifetime(reader) {
      while let part = reader.next() { body(part) }
    }
  }
}
