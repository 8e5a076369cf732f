public import EntityStore
internal import ListDiffing
internal import Locking

/// The objects of a snapshot in one row, whatever their sections.
///
///     for car in cars.fetchedObjects { print(car.model) }
///
/// An object is read when it is asked for, in O(log *n*); going through all takes O(*n* log *n*), and
/// `FetchedObjectsSnapshot.objects` O(*n*).
public struct FetchedObjectList<E: Entity>: RandomAccessCollection, Sendable {
  let result: ResultView

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { result.count }

  /// The object at a position.
  public subscript(position: Int) -> E {
    // The sentence has a number of its own: what it would keep of the result costs more than the look-up.
    let count = result.count
    mustHold(
      position >= 0 && position < count, "There is no object \(position); there are \(count)")
    return result.row(position).row.value(as: E.self)
  }
}
