extension Migration {
  /// A row of an entity's table in a migration: stored values by the names of columns.
  ///
  /// Each part of a composite id is a column, named as in the schema. So is each part of a
  /// reference to such an object: `seat_train`, `seat_number`. Names are compared ignoring
  /// the case of the letters A to Z.
  ///
  ///     let row: Migration.Row = ["id": .integer(1), "name": .text("Ann")]
  public struct Row: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The names, in the order of the columns.
    public private(set) var names: [String] = []
    package private(set) var values: [StoredValue] = []
    /// The record of the columns that are requested from the table's rows.
    private var absent: AbsentColumns?

    /// Creates a row from some values.
    public init(dictionaryLiteral values: (String, StoredValue)...) {
      for (name, value) in values { self[name] = value }
    }

    package init(names: [String], values: [StoredValue], absent: AbsentColumns? = nil) {
      self.names = names
      self.values = values
      self.absent = absent
    }

    /// The value of a column, or `.null` if the row doesn't have the column.
    public subscript(name: String) -> StoredValue {
      get {
        if let index = index(of: name) {
          absent?.use(names[index], at: index)
          return values[index]
        }
        absent?.ask(name)
        return .null
      }
      set {
        if let index = index(of: name) {
          absent?.use(names[index], at: index)
          values[index] = newValue
        } else {
          absent?.give(name)
          names.append(name)
          values.append(newValue)
        }
      }
    }

    /// Returns the value of a column as a given type, or nil if there is none.
    ///
    /// - Throws: ``/EntityStore/StoredValue/Mismatch`` if the stored value isn't one of the type.
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

    /// Removes a column.
    ///
    /// A column that no new row has isn't in the file afterwards.
    public mutating func remove(_ name: String) {
      guard let index = index(of: name) else {
        absent?.remove(name)
        return
      }
      absent?.use(names[index], at: index)
      names.remove(at: index)
      values.remove(at: index)
    }

    private func index(of name: String) -> Int? {
      // A name is mostly requested as it is written.
      names.firstIndex { TextBytes.equal($0, name) } ?? names.firstIndex(folding: name)
    }
  }
}

extension Migration.Row {
  /// Returns true if two rows have the same values in columns of the same names, in the same order.
  ///
  /// Names and values are compared by their bytes.
  public static func == (a: Migration.Row, b: Migration.Row) -> Bool {
    a.hasNames(b.names) && a.values == b.values
  }

  /// Hashes everything that `==` compares.
  public func hash(into hasher: inout Hasher) {
    for name in names { TextBytes.hash(name, into: &hasher) }
    hasher.combine(values)
  }

  /// Returns true if the columns have these names, by their bytes.
  package func hasNames(_ others: [String]) -> Bool {
    names.count == others.count && zip(names, others).allSatisfy { TextBytes.equal($0, $1) }
  }
}
