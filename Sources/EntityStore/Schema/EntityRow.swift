internal import Locking

/// One version of an object, which never changes.
///
///     row.id  // .integer(7)
///     row.value(as: Car.self).model  // "2CV"
///
/// Rows are shared, and freed when the last reference is released. The store's tables, commits and
/// snapshots hold rows, so an object that doesn't change is in memory once. A row is one
/// allocation: two words, and the object after them.
@_spi(Storage) public struct EntityRow: @unchecked Sendable {
  // @unchecked: the object is written once, before other code sees the row.
  package let box: RowBox

  init<Root: Entity>(_ value: Root) { box = TypedRow.make(value) }

  init(_ box: RowBox) { self.box = box }

  /// The entity of the object.
  public var entity: EntityDescription { box.entity }

  /// The stored form of the id.
  public var id: StoredValue { id(box.entity) }

  /// Returns the same, for a caller that has the row's entity already.
  func id(_ entity: EntityDescription) -> StoredValue {
    withExtendedLifetime(box) {
      if let place = entity.fieldPlaces[entity.identity], place.kind == .int {
        return .integer(box.object.load(fromByteOffset: place.offset, as: Int64.self))
      }
      return entity.access[entity.identity].read(box.object)
    }
  }

  /// The address of the object, which is valid while the row is held.
  package var unsafeObject: UnsafeRawPointer { box.object }

  /// Returns the stored form of the attribute at a position among the entity's columns.
  public func value(at column: Int) -> StoredValue {
    withExtendedLifetime(box) { box.entity.access[column].read(box.object) }
  }

  /// The stored forms of all attributes, in the order of the columns.
  public var values: [StoredValue] {
    withExtendedLifetime(box) { box.entity.access.map { $0.read(box.object) } }
  }

  /// Returns the stored forms of the attributes at `columns`.
  public func values(at columns: [Int]) -> [StoredValue] {
    withExtendedLifetime(box) {
      let access = box.entity.access
      return columns.map { access[$0].read(box.object) }
    }
  }

  /// Returns true if every attribute is the same.
  package func isEqual(to other: EntityRow) -> Bool {
    box === other.box
      || withExtendedLifetime((box, other.box)) {
        Self.areEqual(box.object, other.box.object, box.entity)
      }
  }

  /// Returns the same for two objects that others hold.
  static func areEqual(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ entity: EntityDescription
  ) -> Bool {
    entity.fieldPlaces.withUnsafeBufferPointer { places in
      // The access to other columns is read for them only, since reading it counts references.
      places.indices.allSatisfy { places[$0]?.isEqual(a, b) ?? entity.access[$0].isEqual(a, b) }
    }
  }

  /// Returns true if the attribute at `column` is the same.
  package func isEqual(to other: EntityRow, at column: Int) -> Bool {
    box === other.box || isEqual(to: other, at: column, box.entity)
  }

  /// Returns the same for two rows of an entity.
  func isEqual(to other: EntityRow, at column: Int, _ entity: EntityDescription) -> Bool {
    withExtendedLifetime((box, other.box)) {
      let (a, b) = (box.object, other.box.object)
      return entity.fieldPlaces[column]?.isEqual(a, b) ?? entity.access[column].isEqual(a, b)
    }
  }

  package func changedColumns(from other: EntityRow) -> [Int] {
    withExtendedLifetime((box, other.box)) {
      let access = box.entity.access
      return access.indices.filter { !access[$0].isEqual(box.object, other.box.object) }
    }
  }

  /// Returns true if this row, made of the stored values of `other`, has another value at `column`.
  func isOther(than other: EntityRow, at column: Int) -> Bool {
    withExtendedLifetime((box, other.box)) {
      box.entity.access[column].isOtherValue(box.object, other.box.object)
    }
  }

  /// Returns the stored form of the value at `column` after it was stored and read back.
  ///
  /// It returns nil if that is the same stored form.
  func lossyForm(at column: Int) -> StoredValue? {
    withExtendedLifetime(box) { box.entity.access[column].lossyForm(box.object) }
  }

  func setting(_ column: Int, to value: StoredValue) throws -> EntityRow {
    var values = values
    values[column] = value
    return try box.entity.row(values)
  }

  /// Returns the object as its own type.
  ///
  /// - Precondition: the row is one of `Root`.
  public func value<Root: Entity>(as type: Root.Type) -> Root {
    check(type)
    return uncheckedValue(as: type)
  }

  /// Returns the object as its own type, for a row that is known to be one of `Root`.
  func uncheckedValue<Root: Entity>(as type: Root.Type) -> Root {
    withExtendedLifetime(box) { box.object.assumingMemoryBound(to: Root.self).pointee }
  }

  /// The object.
  public var anyValue: any Entity { box.entity.makeValue(self) }

  /// One property of the object, without a copy of the whole.
  ///
  /// - Precondition: the row is one of `Root`.
  package subscript<Root: Entity, Value>(path: KeyPath<Root, Value>) -> Value {
    check(Root.self)
    return withExtendedLifetime(box) {
      box.object.assumingMemoryBound(to: Root.self).pointee[keyPath: path]
    }
  }

  private func check<Root: Entity>(_ type: Root.Type) {
    mustHold(
      box.entity.type == ObjectIdentifier(type),
      "A row of \(box.entity.name) is no \(Root.entityName)")
  }
}

@usableFromInline func refuseAlignment(of name: String) -> Never {
  let most = 2 * MemoryLayout<Int>.size
  mistake("\(name) has a property aligned to more than \(most) bytes; store its parts instead")
}
