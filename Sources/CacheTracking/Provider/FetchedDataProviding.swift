public import EntityStore
public import ListDiffing
public import Relays

/// What an interactor asks of its data provider: fetch, filter, insert, update, delete, and say what changes.
///
/// It is the one part of a screen that knows of a store. The interactor hears of everything in one way, whatever
/// caused it: its own request, another screen, another process.
///
/// Each of the writing calls is one commit, and returns when the data are stored. It can be named as a person would
/// call it, for undo: `try provider.deleteObject(with: id, named: "Delete the car")`. What changes on the list is
/// told as an event like anybody's change.
public protocol FetchedDataProviding<Mapping>: FetchedDataSource, AnyObject, Sendable
where Object == Mapping.Object {
  /// What leads from stored objects to those of the screen.
  associatedtype Mapping: DataMapping

  /// Fetches the data and tells that as an event, also if there are none, or if they are those that were there.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if they can't be read; then the data before stay. What seeding throws; then the data have
  ///   been fetched all the same.
  func reloadData() throws

  /// Goes over to another query, and tells the difference as one event, also if there is none.
  ///
  /// Before the first fetch nothing is told; the query is that of the fetch.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read; then the query before stays.
  func setQuery(_ query: Query<Mapping.E>) throws

  /// The query, as it was set last, with the conditions of a filter.
  var query: Query<Mapping.E> { get }

  /// Shows only those objects of the query that also meet these conditions, one a line, in place of those of an earlier
  /// `filter`; it is told like ``setQuery(_:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read; then the conditions before stay.
  func filter(
    @ConditionBuilder<Mapping.E> _ conditions: (Row<Mapping.E, Mapping.E>) -> Condition<Mapping.E>
  ) throws

  /// Shows all objects of the query again.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read; then the conditions before stay.
  func removeFilter() throws

  /// Stores a new object.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or what the mapping throws.
  func insertObject(by object: Mapping.Object, named name: String?) throws

  /// Changes the object at a path into another one.
  ///
  /// - Throws: ``/EntityStore/StoreError``, ``/EntityStore/StoreError/notFound(_:)`` among them if it has been deleted since.
  /// - Precondition: The path is in the list.
  func updateObject(at path: ListPath, by object: Mapping.Object, named name: String?) throws

  /// Changes the object with an id into another one, on this list or not.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  func updateObject(with id: Mapping.E.ID, by object: Mapping.Object, named name: String?) throws

  /// Deletes an object.
  ///
  /// - Throws: ``/EntityStore/StoreError``, ``/EntityStore/StoreError/notFound(_:)`` among them.
  func deleteObject(_ object: Mapping.Object, named name: String?) throws

  /// Deletes the object at a path.
  ///
  /// - Throws: ``/EntityStore/StoreError``, ``/EntityStore/StoreError/notFound(_:)`` among them if it has been deleted since.
  /// - Precondition: The path is in the list.
  func deleteObject(at path: ListPath, named name: String?) throws

  /// Deletes the object with an id, on this list or not.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  func deleteObject(with id: Mapping.E.ID, named name: String?) throws

  /// The object with an id as it is stored now, on this list or not; nil if it isn't there or a part of it is missing.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  func object(with id: Mapping.E.ID) throws -> Mapping.Object?

  /// Shows the same data until ``resume()``.
  func pause()

  /// Shows and tells what has come since ``pause()``: one event, with the net difference, or none.
  func resume()

  /// What is shown, or nil before the first fetch.
  var snapshot: FetchedDataSnapshot<Mapping>? { get }

  /// What happens, in the provider's place.
  var events: Signal<FetchedDataEvent<Mapping>> { get }

  /// Errors of reading; the data stay.
  var errors: Signal<any Error> { get }
}

// Commits without a name.
extension FetchedDataProviding {
  /// Stores a new object.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or what the mapping throws.
  public func insertObject(by object: Mapping.Object) throws {
    try insertObject(by: object, named: nil)
  }

  /// Changes the object at a path into another one.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  /// - Precondition: The path is in the list.
  public func updateObject(at path: ListPath, by object: Mapping.Object) throws {
    try updateObject(at: path, by: object, named: nil)
  }

  /// Changes the object with an id into another one, on this list or not.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  public func updateObject(with id: Mapping.E.ID, by object: Mapping.Object) throws {
    try updateObject(with: id, by: object, named: nil)
  }

  /// Deletes an object.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  public func deleteObject(_ object: Mapping.Object) throws {
    try deleteObject(object, named: nil)
  }

  /// Deletes the object at a path.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  /// - Precondition: The path is in the list.
  public func deleteObject(at path: ListPath) throws {
    try deleteObject(at: path, named: nil)
  }

  /// Deletes the object with an id, on this list or not.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  public func deleteObject(with id: Mapping.E.ID) throws {
    try deleteObject(with: id, named: nil)
  }
}
