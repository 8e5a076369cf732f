@_spi(Storage) internal import EntityStore
internal import Locking

/// The objects of a snapshot as one list, whatever their sections.
///
///     for car in cars.fetchedObjects { print(car.model) }
///
/// An object is read on access, in O(log *n*), or in O(*s* log *s*) in a derived list of *s*
/// sections. Iterating over all objects takes O(*n*) in a result, and O(*n* log *n*) in a derived
/// list. It makes no array.
public struct FetchedObjectList<Row: ObjectView>: RandomAccessCollection, Sendable {
  let content: any ListContent<Row>

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { content.count }

  /// The object at a position.
  public subscript(position: Int) -> Row.Object {
    // The message gets a copy of this number. Keeping the list for it would cost more than the
    // look-up.
    let count = content.count
    mustHold(
      position >= 0 && position < count, "There is no object \(position); there are \(count)")
    if let result = content.result { return result.row(position).row.value(as: Row.Object.self) }
    return content.row(at: content.path(ofPosition: position)).value
  }
}

extension FetchedObjectList {
  /// An iterator over the objects of a list.
  ///
  /// It reads a result in batches, so that the processor loads several objects at once. Copies of
  /// an iterator share their batch, so only one of them may be used further.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let reader: UnsafeObjectReader
    /// The rest of the part that has been read.
    @usableFromInline var place: UnsafePointer<UnsafeRawPointer>?
    @usableFromInline var end: UnsafePointer<UnsafeRawPointer>?

    init(_ list: FetchedObjectList) {
      reader =
        if let result = list.content.result {
          UnsafeResultReader(result, of: Row.Object.self, in: 0..<result.sectionCount)
        } else {
          UnsafeListReader(list)
        }
    }

    /// Returns the next object, or nil after the last.
    @inlinable public mutating func next() -> Row.Object? {
      // The iterator itself isn't passed to a function, so it can be kept in registers. All parts
      // are pointers, so the optimiser sees that an object follows, and copies what is used of it.
      if place == end {
        guard let part = reader.next(), let start = part.baseAddress else { return nil }
        (place, end) = (start, start + part.count)
      }
      guard let next = place else { return nil }
      place = next + 1
      return withExtendedLifetime(reader) {
        next.pointee.assumingMemoryBound(to: Row.Object.self).pointee
      }
    }
  }

  /// Returns an iterator over the objects.
  ///
  /// - Complexity: O(1)
  public func makeIterator() -> Iterator { Iterator(self) }
}
