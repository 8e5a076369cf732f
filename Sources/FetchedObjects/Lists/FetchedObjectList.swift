@_spi(Storage) internal import EntityStore
internal import ListDiffing
internal import Locking

/// The objects of a snapshot as one list, whatever their sections.
///
///     for car in cars.fetchedObjects { print(car.model) }
///
/// An object is read on access, in O(log *n*), or in O(*s* log *s*) in a derived list of *s*
/// sections. Iterating over all objects of a result takes O(*n* log *n*), and
/// ``ListSnapshot/objects`` takes O(*n*).
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
