internal import FetchedObjects
public import ListDiffing

/// A source of the objects of a list by their paths, for a caller that keeps only positions.
///
/// An ``IndexOnlyCacheTracker`` is one. The interactor and the presenter of a screen conform by
/// forwarding the call, so a table asks its presenter for the object of a row.
///
///     let object = try source.object(at: ListPath(indexPath))
public protocol IndexedObjectSource<Object>: AnyObject {
  /// The type of the objects.
  associatedtype Object

  /// Returns the object at a path, or nil if it has been deleted since.
  ///
  /// - Throws: An error of reading.
  /// - Precondition: The path is in the list.
  func object(at path: ListPath) throws -> Object?
}

extension IndexedObjectsModel: IndexedObjectSource {}
