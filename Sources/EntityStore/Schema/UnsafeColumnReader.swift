internal import Locking

/// A reader of the stored values of one row, in the order of the columns.
@usableFromInline struct UnsafeColumnReader {
  /// The cells with the values; nil if `values` has them.
  private let cells: UnsafePointer<UnsafeStoredCell>?
  private let values: [StoredValue]
  private let entity: EntityDescription
  private var index = 0

  init(entity: EntityDescription, values: [StoredValue]) {
    self.entity = entity
    self.values = values
    cells = nil
  }

  /// Creates a reader of the cells at `cells`, one for each column.
  init(entity: EntityDescription, cells: UnsafePointer<UnsafeStoredCell>) {
    self.entity = entity
    self.cells = cells
    values = []
  }

  /// Returns the next value, which is of this type by the schema.
  ///
  /// Values of the most frequent types are made of a cell directly, in the same way as by their
  /// `init(storedValue:)`. No type that contains `Value` is named here, since the runtime would
  /// look it up each time.
  @usableFromInline mutating func next<Value>(_ type: Value.Type) throws -> Value {
    let place = index
    index &+= 1
    guard let cells else { return try decode(values[place], at: place) }
    let cell = cells[place]
    // `Value` has just been compared with the type of the cast. `as?` would ask the runtime for it.
    if type == Int.self {
      if let number = cell.int { return unsafeBitCast(number, to: type) }
    } else if type == String.self {
      if let text = cell.string { return unsafeBitCast(text, to: type) }
    } else if type == Double.self {
      if let number = cell.double { return unsafeBitCast(number, to: type) }
    } else if type == String?.self {
      if cell.isNull { return unsafeBitCast(String?.none, to: type) }
      if let text = cell.string { return unsafeBitCast(String?.some(text), to: type) }
    } else if type == Int?.self {
      if cell.isNull { return unsafeBitCast(Int?.none, to: type) }
      if let number = cell.int { return unsafeBitCast(Int?.some(number), to: type) }
    } else if type == Double?.self {
      if cell.isNull { return unsafeBitCast(Double?.none, to: type) }
      if let number = cell.double { return unsafeBitCast(Double?.some(number), to: type) }
    }
    return try decode(cell.value, at: place)
  }

  /// Traps if there is no next value, or if it is of another type.
  func checkNext(_ type: Any.Type) {
    mustHold(
      index < entity.decoders.count,
      "\(entity.name) has \(entity.decoders.count) attributes, and a value after them is read; ask for "
        + "each attribute once")
    let wanted = entity.decoders[index].type
    mustHold(
      wanted == type,
      "\(entity.name).\(entity.columns[index].name) is a \(wanted), and is read as \(type); ask for the "
        + "attributes in the order of the schema, each as the type of its property")
  }

  private func decode<Value>(_ found: StoredValue, at place: Int) throws -> Value {
    // The schema's attributes have made a decoder for each value, in their order.
    let decoder = unsafeDowncast(entity.decoders[place], to: ValueDecoder<Value>.self)
    do {
      return try decoder.decode(found)
    } catch {
      let id = cells.map { $0[entity.identity].value } ?? values[entity.identity]
      // No object has a name with an id of another form.
      let name = ObjectID(entityName: entity.name, id: entity.canHaveID(id) ? id : .null)
      throw StoreError.unreadable(
        name, attribute: entity.columns[place].name,
        found: found)
    }
  }
}
