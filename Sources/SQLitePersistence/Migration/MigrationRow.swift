public import EntityStore

/// A row of an entity's table in a migration: stored values by the names of columns.
///
/// Each part of a composite id is a column, named as in the schema; so is each part of a reference to
/// such an object: `seat_train`, `seat_number`. Names are compared as SQLite does, without regard to
/// the case of the letters A to Z.
///
///     let row: MigrationRow = ["id": .integer(1), "name": .text("Ann")]
public struct MigrationRow: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The names, in the order of the columns.
  public private(set) var names: [String] = []
  /// The values of the columns.
  private(set) var values: [StoredValue] = []

  /// A row of some values.
  public init(dictionaryLiteral values: (String, StoredValue)...) {
    for (name, value) in values { self[name] = value }
  }

  init(names: [String], values: [StoredValue]) {
    self.names = names
    self.values = values
  }

  /// The value of a column, which is `.null` for one that the row doesn't have.
  public subscript(name: String) -> StoredValue {
    get { index(of: name).map { values[$0] } ?? .null }
    set {
      if let index = index(of: name) {
        values[index] = newValue
      } else {
        names.append(name)
        values.append(newValue)
      }
    }
  }

  /// The value of a column as a type's, or nil if there is none.
  ///
  /// - Throws: ``StoredValueError`` if the stored value is not one of the type.
  public func value<Value: Storable>(_ name: String, as type: Value.Type = Value.self) throws
    -> Value?
  {
    let stored = self[name]
    return stored.isNull ? nil : try Value(storedValue: stored)
  }

  /// Sets a column to the stored form of a value.
  public mutating func set<Value: Storable>(_ name: String, to value: Value) {
    self[name] = value.storedValue
  }

  /// Takes a column away.
  ///
  /// One that no new row has isn't in the file afterwards.
  public mutating func remove(_ name: String) {
    guard let index = index(of: name) else { return }
    names.remove(at: index)
    values.remove(at: index)
  }

  private func index(of name: String) -> Int? {
    // Mostly it is asked for as it is written.
    if let index = names.firstIndex(where: { TextBytes.equal($0, name) }) { return index }
    let folded = FoldedName(name)
    return names.firstIndex { FoldedName($0) == folded }
  }
}
