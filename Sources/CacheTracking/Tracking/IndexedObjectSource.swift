internal import EntityStore
internal import FetchedObjects
public import ListDiffing

/// Gives the objects of a list by their paths, for whoever keeps only positions.
///
/// An ``IndexOnlyCacheTracker`` is one. The interactor and the presenter of a screen are one by passing the
/// question on, so that a table asks its presenter for the object of a row.
public protocol IndexedObjectSource<Object>: AnyObject {
  /// What it gives.
  associatedtype Object

  /// The object at a path, or nil if it has been deleted since.
  ///
  /// - Throws: An error of reading.
  /// - Precondition: The path is in the list.
  func object(at path: ListPath) throws -> Object?
}

extension IndexedObjectsModel: IndexedObjectSource {}
