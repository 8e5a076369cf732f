@_spi(Storage) internal import EntityStore
internal import ListDiffing
internal import Locking

/// The objects of a snapshot as one list, whatever their sections.
///
///     for car in cars.fetchedObjects { print(car.model) }
///
/// An object is read on access, in O(log *n*), or in O(*s* log *s*) in a derived list of *s*
/// sections. Iterating over all objects of a result takes O(*n*) and makes no array.
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
    /// The list, unless it is a result, and the position of its next object.
    private let list: FetchedObjectList?
    private var position = 0
    /// The reader of a result, and the rest of the part that has been read.
    @usableFromInline let reader: UnsafeObjectReader?
    @usableFromInline var place: UnsafePointer<UnsafeRawPointer>?
    @usableFromInline var end: UnsafePointer<UnsafeRawPointer>?

    init(_ list: FetchedObjectList) {
      let result = list.content.result
      reader = result.map {
        UnsafeObjectReader($0, of: Row.Object.self, in: 0..<$0.sectionCount)
      }
      self.list = result == nil ? list : nil
    }

    /// Returns the next object, or nil after the last.
    @inlinable public mutating func next() -> Row.Object? {
      if place == end && !readPart() { return nextOfList() }
      guard let place else { return nil }
      self.place = place + 1
      return withExtendedLifetime(reader) {
        place.pointee.assumingMemoryBound(to: Row.Object.self).pointee
      }
    }

    /// Reads the next part of a result, and returns false if there is none.
    @usableFromInline mutating func readPart() -> Bool {
      guard let part = reader?.next(), let start = part.baseAddress else { return false }
      (place, end) = (start, start + part.count)
      return true
    }

    /// Returns the next object of a list that isn't a result.
    @usableFromInline mutating func nextOfList() -> Row.Object? {
      guard let list, position < list.endIndex else { return nil }
      defer { position += 1 }
      return list[position]
    }
  }

  /// Returns an iterator over the objects.
  ///
  /// - Complexity: O(1)
  public func makeIterator() -> Iterator { Iterator(self) }
}
