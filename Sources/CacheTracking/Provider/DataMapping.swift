public import EntityStore
public import FetchedObjects

/// Leads from stored objects to those of a screen and back.
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
///       func update(_ id: Car.ID, with ownership: Ownership, in draft: borrowing Draft) throws { … }
///     }
///
/// Identity is part of every object, so there is none that can't be changed or deleted. A mapping is asked on any
/// thread.
public protocol DataMapping<E, Object>: Sendable {
  /// What is stored.
  associatedtype E: Entity
  /// What is shown.
  associatedtype Object: Sendable

  /// What is shown of a stored object, or nil if a part of it is missing.
  func object(_ view: EntityView<E>) -> Object?

  /// The id of the stored object.
  func id(of object: Object) -> E.ID

  /// Stores a new object. Parts that are there already are found by a natural key: `draft.upsert(_:by:)`.
  func insert(_ object: Object, into draft: borrowing Draft) throws

  /// Changes the stored object with an id into another one.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if it isn't there.
  func update(_ id: E.ID, with object: Object, in draft: borrowing Draft) throws

  /// Deletes the stored object with an id.
  ///
  /// By default that object alone, and what its schema says of those that refer to it.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if it isn't there.
  func delete(_ id: E.ID, in draft: borrowing Draft) throws
}

extension DataMapping {
  /// Deletes the stored object.
  public func delete(_ id: E.ID, in draft: borrowing Draft) throws {
    try draft.delete(E.self, id)
  }
}

/// The mapping of stored objects that are shown as they are.
public struct PlainDataMapping<E: Entity>: DataMapping {
  /// Creates the mapping.
  public init(_ entity: E.Type = E.self) {}

  /// The object itself.
  public func object(_ view: EntityView<E>) -> E? { view.value }

  /// Its id.
  public func id(of object: E) -> E.ID { object.id }

  /// Inserts the object.
  ///
  /// - Throws: ``/EntityStore/StoreError/alreadyExists(_:)`` if there is one with its id.
  public func insert(_ object: E, into draft: borrowing Draft) throws { try draft.insert(object) }

  /// Puts the object in the place of the stored one.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` and ``/EntityStore/StoreError/idChanged(_:to:)``.
  public func update(_ id: E.ID, with object: E, in draft: borrowing Draft) throws {
    try draft.update(E.self, id) { $0 = object }
  }
}
