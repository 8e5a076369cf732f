public import EntityStore
public import ListDiffing
public import Relays

/// The interface between an interactor and its data provider: fetch, filter, insert, update,
/// delete, and receive changes.
///
///     try provider.reloadData()
///     try provider.deleteObject(with: id, named: "Delete the car")
///
/// The provider is the only part of a screen that knows the store. The interactor receives every
/// change in the same way, whether its own request, another screen or another process caused it.
///
/// Each writing method makes one commit, and returns when the data are stored. The commit can have
/// a user-visible name for undo. Changes of the list are published as an event, like all other
/// changes.
public protocol FetchedDataProviding<Mapping>: FetchedDataSource, AnyObject, Sendable
where Object == Mapping.Object {
  /// The mapping between stored objects and the objects of the screen.
  associatedtype Mapping: DataMapping

  /// Fetches the data and publishes them as an event, even if there are none, or if they haven't
  /// changed.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if they can't be read. The previous data stay then. If
  ///   seeding throws, its error is thrown. The data have been fetched nevertheless.
  func reloadData() throws

  /// Switches to another query, and publishes the difference as one event, even if it is empty.
  ///
  /// Before the first fetch, nothing is published. The fetch will use the query.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read. The previous query stays
  ///   then.
  func setQuery(_ query: Query<Mapping.E>) throws

  /// The query that was set last, with the conditions of a filter.
  var query: Query<Mapping.E> { get }

  /// Shows only the objects of the query that also meet these conditions.
  ///
  /// They replace the conditions of an earlier `filter`.
  ///
  /// Write one condition per line. The change is published like that of ``setQuery(_:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read. The previous conditions stay
  ///   then.
  func filter(
    @Condition<Mapping.E>.Builder _ conditions: (Row<Mapping.E, Mapping.E>) -> Condition<Mapping.E>
  ) throws

  /// Shows all objects of the query again.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read. The previous conditions stay
  ///   then.
  func removeFilter() throws

  /// Stores a new object.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or the error that the mapping throws.
  func insertObject(by object: Mapping.Object, named name: String?) throws

  /// Replaces the object at a path.
  ///
  /// - Throws: ``/EntityStore/StoreError``. It is ``/EntityStore/StoreError/notFound(_:)`` if the
  ///   object has been deleted since.
  /// - Precondition: The path is in the list.
  func updateObject(at path: ListPath, by object: Mapping.Object, named name: String?) throws

  /// Replaces the object with an id, which may or may not be in this list.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  func updateObject(with id: Mapping.E.ID, by object: Mapping.Object, named name: String?) throws

  /// Deletes an object.
  ///
  /// - Throws: ``/EntityStore/StoreError``, such as ``/EntityStore/StoreError/notFound(_:)``.
  func deleteObject(_ object: Mapping.Object, named name: String?) throws

  /// Deletes the object at a path.
  ///
  /// - Throws: ``/EntityStore/StoreError``. It is ``/EntityStore/StoreError/notFound(_:)`` if the
  ///   object has been deleted since.
  /// - Precondition: The path is in the list.
  func deleteObject(at path: ListPath, named name: String?) throws

  /// Deletes the object with an id, which may or may not be in this list.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  func deleteObject(with id: Mapping.E.ID, named name: String?) throws

  /// Returns the object with an id as it is stored now.
  ///
  /// It may or may not be in this list.
  ///
  /// The result is nil if no such object exists or if a part of it is missing.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  func object(with id: Mapping.E.ID) throws -> Mapping.Object?

  /// Keeps the visible version until ``resume()``.
  func pause()

  /// Applies and publishes the changes since ``pause()``: one event with the net difference, or
  /// none.
  func resume()

  /// The visible version, or nil before the first fetch.
  var snapshot: FetchedDataSnapshot<Mapping>? { get }

  /// A signal of the provider's events, in its delivery context.
  var events: Signal<FetchedDataEvent<Mapping>> { get }

  /// A signal of reading errors.
  ///
  /// The data stay after an error.
  var errors: Signal<any Error> { get }
}

// Commits without a name.
extension FetchedDataProviding {
  /// Stores a new object.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or the error that the mapping throws.
  public func insertObject(by object: Mapping.Object) throws {
    try insertObject(by: object, named: nil)
  }

  /// Replaces the object at a path.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  /// - Precondition: The path is in the list.
  public func updateObject(at path: ListPath, by object: Mapping.Object) throws {
    try updateObject(at: path, by: object, named: nil)
  }

  /// Replaces the object with an id, which may or may not be in this list.
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

  /// Deletes the object with an id, which may or may not be in this list.
  ///
  /// - Throws: ``/EntityStore/StoreError``.
  public func deleteObject(with id: Mapping.E.ID) throws {
    try deleteObject(with: id, named: nil)
  }
}
