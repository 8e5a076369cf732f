public import EntityStore
public import FetchedObjects

/// A mapping between stored objects and the objects of a screen.
///
///     struct OwnershipMapping: DataMapping {
///       func object(_ car: EntityView<Car>) -> Ownership? {
///         car.owner.map { Ownership(owner: $0.value, car: car.value) }
///       }
///       func id(of ownership: Ownership) -> Car.ID { ownership.car.id }
///       func insert(_ ownership: Ownership, into draft: borrowing Draft) throws {
///         let owner = try draft.upsert(ownership.owner, by: \.name)
///         …
///       }
///       func update(
///         _ id: Car.ID, with ownership: Ownership, in draft: borrowing Draft
///       ) throws { … }
///     }
///
/// Every object includes its identity, so every object can be changed or deleted. A mapping is
/// called on any thread.
public protocol DataMapping<E, Object>: Sendable {
  /// The entity of the stored objects.
  associatedtype E: Entity
  /// The type of the objects on the screen.
  associatedtype Object: Sendable

  /// Returns the screen's object for a stored object, or nil if a part of it is missing.
  func object(_ view: EntityView<E>) -> Object?

  /// Returns the id of the stored object.
  func id(of object: Object) -> E.ID

  /// Stores a new object.
  ///
  /// Use a natural key to find parts that already exist: `draft.upsert(_:by:)`.
  ///
  /// - Throws: Any error. Nothing is committed then.
  func insert(_ object: Object, into draft: borrowing Draft) throws

  /// Replaces the content of the stored object with an id.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if there is no object with the id.
  func update(_ id: E.ID, with object: Object, in draft: borrowing Draft) throws

  /// Deletes the stored object with an id.
  ///
  /// By default, this deletes only that object. Its schema determines the effect on objects that
  /// refer to it.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if there is no object with the id.
  func delete(_ id: E.ID, in draft: borrowing Draft) throws
}

extension DataMapping {
  /// Deletes the stored object.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if there is no object with the id.
  public func delete(_ id: E.ID, in draft: borrowing Draft) throws {
    try draft.delete(E.self, id)
  }
}

/// A mapping for stored objects that are shown unchanged.
///
///     let provider = FetchedDataProvider(query, in: store, mapping: PlainDataMapping<Car>())
public struct PlainDataMapping<E: Entity>: DataMapping {
  /// Creates the mapping.
  public init(_ entity: E.Type = E.self) {}

  /// Returns the stored object itself.
  public func object(_ view: EntityView<E>) -> E? { view.value }

  /// Returns the id of the object.
  public func id(of object: E) -> E.ID { object.id }

  /// Inserts the object.
  ///
  /// - Throws: ``/EntityStore/StoreError/alreadyExists(_:)`` if an object with its id exists.
  public func insert(_ object: E, into draft: borrowing Draft) throws { try draft.insert(object) }

  /// Replaces the stored object.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` and
  ///   ``/EntityStore/StoreError/idChanged(_:to:)``.
  public func update(_ id: E.ID, with object: E, in draft: borrowing Draft) throws {
    try draft.update(E.self, id) { $0 = object }
  }
}
