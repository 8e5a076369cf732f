/// One version of one object: immutable, shared by all who hold it, freed when nobody does.
///
/// The store's tables, commits and snapshots hold rows, so an object that doesn't change is in
/// memory once. A row is one allocation, the object behind two words.
public struct EntityRow: @unchecked Sendable {
  // @unchecked: the object is written once, before anybody else sees the row.
  package let box: RowBox

  /// The row version of `value`.
  init<Root: Entity>(_ value: Root) { box = TypedRow.make(value) }

  init(_ box: RowBox) { self.box = box }

  /// What kind of object it is.
  public var entity: EntityDescription { box.entity }

  /// The stored form of the id.
  public var id: StoredValue {
    let entity = box.entity
    return entity.access[entity.identity].read(box.object)
  }

  /// The stored form of the attribute at a position among the entity's columns.
  public func value(at column: Int) -> StoredValue { box.entity.access[column].read(box.object) }

  /// The stored forms of all attributes, in the order of the columns.
  public var values: [StoredValue] { box.entity.access.map { $0.read(box.object) } }

  /// The stored forms of the attributes at `columns`.
  public func values(at columns: [Int]) -> [StoredValue] {
    let access = box.entity.access
    return columns.map { access[$0].read(box.object) }
  }

  /// Whether every attribute is the same.
  package func isEqual(to other: EntityRow) -> Bool {
    box === other.box
      || box.entity.access.allSatisfy { $0.isEqual(box.object, other.box.object) }
  }

  /// Whether the attribute at `column` is the same.
  package func isEqual(to other: EntityRow, at column: Int) -> Bool {
    box === other.box || box.entity.access[column].isEqual(box.object, other.box.object)
  }

  /// The positions of the attributes that differ.
  package func changedColumns(from other: EntityRow) -> [Int] {
    let access = box.entity.access
    return access.indices.filter { !access[$0].isEqual(box.object, other.box.object) }
  }

  /// The row with one attribute set.
  func setting(_ column: Int, to value: StoredValue) throws -> EntityRow {
    var values = values
    values[column] = value
    return try box.entity.row(values)
  }

  /// The object as its own type.
  ///
  /// - Precondition: the row is one of `Root`.
  public func value<Root: Entity>(as type: Root.Type) -> Root { typed(as: type).value }

  /// The object.
  public var anyValue: any Entity { box.entity.makeValue(self) }

  /// One property of the object, without a copy of the whole.
  ///
  /// - Precondition: the row is one of `Root`.
  package subscript<Root: Entity, Value>(path: KeyPath<Root, Value>) -> Value {
    typed(as: Root.self).pointer.pointee[keyPath: path]
  }

  private func typed<Root: Entity>(as type: Root.Type) -> TypedRow<Root> {
    precondition(
      Swift.type(of: box) == TypedRow<Root>.self,
      "A row of \(box.entity.name) is no \(Root.entityName)")
    return unsafeDowncast(box, to: TypedRow<Root>.self)
  }
}

/// A row's memory: the object stands behind the header.
package class RowBox: ManagedBuffer<Void, UInt64> {
  /// What kind of object it is.
  var entity: EntityDescription {
    preconditionFailure("A row is made by its entity's schema only")
  }

  /// The object, for as long as the row is held.
  var object: UnsafeRawPointer {
    withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
  }
}

/// A row that knows the object's type.
final class TypedRow<Root: Entity>: RowBox {
  static func make(_ value: Root) -> RowBox {
    precondition(
      MemoryLayout<Root>.alignment <= 16,
      "\(Root.entityName) has a property aligned to more than 16 bytes; store its parts instead")
    let words = (MemoryLayout<Root>.size + 7) / 8
    let row = unsafeDowncast(create(minimumCapacity: words) { _ in }, to: TypedRow<Root>.self)
    row.pointer.initialize(to: value)
    return row
  }

  deinit { pointer.deinitialize(count: 1) }

  var pointer: UnsafeMutablePointer<Root> {
    withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: Root.self)
    }
  }

  override var entity: EntityDescription { Root.schema.entity }

  var value: Root { pointer.pointee }
}
