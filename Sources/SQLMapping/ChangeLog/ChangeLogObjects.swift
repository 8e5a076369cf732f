@_spi(Storage) package import EntityStore

/// The objects in rows of the change log, as they were before the first of these rows.
///
/// Rows are added in the order of their versions. If several rows have an old value of the same
/// attribute, the first one counts.
package struct ChangeLogObjects {
  /// The number of versions, and of rows of tools, that are read at once.
  ///
  /// A tool may have written a row for each of a million objects. Reading them would take as much
  /// memory as the objects, and longer than reading all results again.
  package static let mostRowsRead: Int64 = 65_536
  /// The number of bytes of rows that are read at once.
  package static let mostBytesRead: Int64 = 64 << 20

  /// The known facts about an object.
  package struct Object {
    package let id: StoredValue
    package let wasAbsent: Bool
    /// The old values in the order of the layout.
    ///
    /// A value is nil if no row has it, so it didn't change.
    package var values: [StoredValue?]
    /// True if the object's row has been deleted and inserted again, which may change its row
    /// number.
    package var isRewritten = false

    package init(
      id: StoredValue, wasAbsent: Bool, values: [StoredValue?], isRewritten: Bool = false
    ) {
      self.id = id
      self.wasAbsent = wasAbsent
      self.values = values
      self.isRewritten = isRewritten
    }
  }

  /// The objects of an entity.
  package struct Table {
    package let layout: ChangeLogLayout
    package fileprivate(set) var objects: [Object] = []
    private var places: [StoredValue: Int] = [:]
    /// The number of insertions that have begun and whose ids aren't known yet.
    private var begun = 0
    /// True if the last record began an insertion.
    private var hasJustBegun = false

    fileprivate init(_ layout: ChangeLogLayout) { self.layout = layout }

    /// Merges what a row states about an object.
    package mutating func add(_ object: Object) {
      hasJustBegun = false
      guard let place = places[object.id] else {
        places[object.id] = objects.count
        return objects.append(object)
      }
      if object.wasAbsent || object.isRewritten { objects[place].isRewritten = true }
      if objects[place].wasAbsent || object.wasAbsent { return }
      for (index, value) in object.values.enumerated() where objects[place].values[index] == nil {
        objects[place].values[index] = value
      }
    }

    fileprivate mutating func add(_ record: TriggerRowReader.Record) {
      switch record {
      case .before(let object): add(object)
      case .givingID:
        begun += 1
        hasJustBegun = true
      case .after(let object): addInserted(object)
      }
    }

    /// Merges the insertion of an object, which triggers of other programs may have changed since.
    ///
    /// If the statement gave the id, an earlier row contains the previous state. If SQLite gave the
    /// id, the insertion ends here, provided that no other record has come since it began, or none
    /// about this object. Otherwise an earlier record may describe the object as it was after the
    /// insertion. The insertion doesn't end then, and nothing is certain.
    private mutating func addInserted(_ object: Object) {
      let isFirst = hasJustBegun || places[object.id] == nil
      if isFirst && begun > 0 { begun -= 1 }
      add(object)
    }

    /// True if the ids that SQLite has given are all known.
    ///
    /// An id is unknown if a row wasn't inserted, such as with `INSERT OR IGNORE`. It is also
    /// unknown if a trigger of another program has kept the change log's own trigger from running.
    /// Such a trigger may have changed or deleted the row, too.
    fileprivate var isCertain: Bool { begun == 0 }
  }

  package private(set) var tables: [Table]
  /// The positions of tables, by the names of entities as SQLite compares them.
  private let places: [[UInt8]: Int]

  package init(_ layouts: [ChangeLogLayout]) {
    tables = layouts.map(Table.init)
    places = Dictionary(layouts.enumerated().map { (Self.folded($1.name), $0) }) { first, _ in first
    }
  }

  /// Merges a row, or returns false if it can't be read, so that nothing is known.
  package mutating func add(row: [UInt8]) -> Bool {
    switch row.first {
    case ChangeLogWriter.form:
      var reader = ChangeLogReader(row)
      return reader.read {
        self.table(named: $0)
      } add: {
        tables[$0].add($1)
      }
    case TriggerRowReader.form:
      var reader = TriggerRowReader(row)
      return reader.read {
        self.table(named: $0)
      } add: {
        tables[$0].add($1)
      }
    default: return false
    }
  }

  /// Merges an object of an entity, if the entity is known.
  ///
  /// It returns false if other columns were logged, or if `object` returns nil.
  package mutating func add(
    to name: [UInt8], signature: UInt64, _ object: (ChangeLogLayout) -> Object?
  ) -> Bool {
    guard let (place, layout) = table(named: name) else { return true }
    guard layout.signature == signature, let object = object(layout) else { return false }
    tables[place].add(object)
    return true
  }

  /// True if nothing that was merged may be wrong.
  package var isCertain: Bool { tables.allSatisfy(\.isCertain) }

  private func table(named name: [UInt8]) -> (place: Int, layout: ChangeLogLayout)? {
    places[Self.folded(name)].map { ($0, tables[$0].layout) }
  }

  private static func folded(_ name: [UInt8]) -> [UInt8] {
    name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
