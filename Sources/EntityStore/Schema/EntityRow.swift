/// One version of one object: immutable, shared by all who hold it, freed when nobody does.
///
/// The store's tables, commits and snapshots hold rows, so an object that doesn't change is in
/// memory once.
public class EntityRow: @unchecked Sendable {
  // @unchecked: a class that can be subclassed; it and its one subclass have only constants.
  /// What kind of object it is.
  public let entity: EntityDescription
  /// The stored form of the id.
  public let id: StoredValue

  init(entity: EntityDescription, id: StoredValue) {
    self.entity = entity
    self.id = id
  }

  /// The stored form of the attribute at a position among the entity's columns.
  public func value(at column: Int) -> StoredValue {
    preconditionFailure("EntityRow is made by EntityDescription.row(_:) only")
  }

  /// The stored forms of all attributes, in the order of the columns.
  public var values: [StoredValue] { entity.columns.indices.map(value(at:)) }

  /// The stored forms of the attributes at `columns`.
  public func values(at columns: [Int]) -> [StoredValue] { columns.map(value(at:)) }

  /// Whether every attribute is the same.
  package func isEqual(to other: EntityRow) -> Bool {
    self === other || entity.columns.indices.allSatisfy { value(at: $0) == other.value(at: $0) }
  }

  /// The positions of the attributes that differ.
  package func changedColumns(from other: EntityRow) -> [Int] {
    entity.columns.indices.filter { value(at: $0) != other.value(at: $0) }
  }

  /// The row with one attribute set.
  func setting(_ column: Int, to value: StoredValue) throws -> EntityRow {
    var values = values
    values[column] = value
    return try entity.row(values)
  }
}

/// A row that holds the object as its own type.
package final class TypedRow<Root: Entity>: EntityRow, @unchecked Sendable {
  // @unchecked: the object is written once, before anybody else sees the row.
  private let pointer: UnsafeMutablePointer<Root>
  private let access: [ColumnAccess<Root>]

  init(entity: EntityDescription, id: StoredValue, value: Root, access: [ColumnAccess<Root>]) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
    self.access = access
    super.init(entity: entity, id: id)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// The object.
  package var value: Root { pointer.pointee }

  /// One property of the object, without a copy of the whole.
  package subscript<Value>(path: KeyPath<Root, Value>) -> Value { pointer.pointee[keyPath: path] }

  package override func value(at column: Int) -> StoredValue {
    access[column].read(UnsafePointer(pointer))
  }
}

extension EntityRow {
  /// The object as its own type.
  ///
  /// - Precondition: the row is one of `Root`.
  public func value<Root: Entity>(as type: Root.Type) -> Root { typed(as: type).value }

  /// The row with its type.
  ///
  /// - Precondition: the row is one of `Root`.
  package func typed<Root: Entity>(as type: Root.Type) -> TypedRow<Root> {
    precondition(
      entity.type == ObjectIdentifier(type), "A row of \(entity.name) is no \(Root.entityName)")
    // The entity's type is the row's: only `Schema` makes rows.
    return unsafeDowncast(self, to: TypedRow<Root>.self)
  }
}
