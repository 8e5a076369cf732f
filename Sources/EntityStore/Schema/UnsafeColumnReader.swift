/// The stored values of one row, handed out in the order of the columns.
@usableFromInline struct UnsafeColumnReader {
  /// Where the values are: those in `values`, unless there are cells.
  private let cells: UnsafePointer<UnsafeStoredCell>?
  private let values: [StoredValue]
  private let entity: EntityDescription
  private var index = 0

  /// The values of `values`.
  init(entity: EntityDescription, values: [StoredValue]) {
    self.entity = entity
    self.values = values
    cells = nil
  }

  /// The values of the cells at `cells`, one for each column.
  init(entity: EntityDescription, cells: UnsafePointer<UnsafeStoredCell>) {
    self.entity = entity
    self.cells = cells
    values = []
  }

  /// The next value, which the schema says is of this type.
  @usableFromInline mutating func next<Value>(_ type: Value.Type) throws -> Value {
    let place = index
    index &+= 1
    if let cells {
      if let value = cells[place].known(as: type) { return value }
      return try decode(cells[place].value, at: place)
    }
    return try decode(values[place], at: place)
  }

  private func decode<Value>(_ found: StoredValue, at place: Int) throws -> Value {
    // The schema's attributes have made one for each value, in their order.
    let decoder = unsafeDowncast(entity.decoders[place], to: ValueDecoder<Value>.self)
    do {
      return try decoder.decode(found)
    } catch {
      let id = cells.map { $0[entity.identity].value } ?? values[entity.identity]
      throw StoreError.unreadable(
        ObjectID(entityName: entity.name, id: id), attribute: entity.columns[place].name,
        found: found)
    }
  }
}
