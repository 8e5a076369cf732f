public import EntityStore
internal import ListDiffing
internal import Locking

/// The objects of a snapshot as one list, whatever their sections.
///
///     for car in cars.fetchedObjects { print(car.model) }
///
/// An object is read on access, in O(log *n*). Iterating over all objects takes O(*n* log *n*), and
/// `FetchedObjectsSnapshot.objects` takes O(*n*).
public struct FetchedObjectList<E: Entity>: RandomAccessCollection, Sendable {
  let result: ResultView

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { result.count }

  /// The object at a position.
  public subscript(position: Int) -> E {
    // The message gets a copy of this number. Keeping the result for it would cost more than the
    // look-up.
    let count = result.count
    mustHold(
      position >= 0 && position < count, "There is no object \(position); there are \(count)")
    return result.row(position).row.value(as: E.self)
  }
}
