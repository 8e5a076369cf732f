@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The parts of a table, as a file has them or as a schema requires them.
struct TableShape: Hashable, FoundTable {
  struct Column: Hashable, FoundColumn {
    var name: String
    /// The type as SQLite spells it, or `ANY` if a migration has left values of any type.
    let type: String
    let isOptional: Bool
  }

  struct ForeignKey: Hashable {
    let columns: [FoldedName]
    let target: FoldedName
    let targetColumns: [FoldedName]

    init(columns: [FoldedName], target: FoldedName, targetColumns: [FoldedName]) {
      self.columns = columns
      self.target = target
      self.targetColumns = targetColumns
    }

    /// Creates the key of a reference, or returns nil if the attribute is none.
    init?(of reference: Int, in entity: EntityDescription) {
      guard let target = entity.columns[reference].reference?.target else { return nil }
      self.init(
        columns: entity.sqlColumns(of: [reference]).map { FoldedName($0.name) },
        target: FoldedName(target.name),
        targetColumns: target.sqlColumns(of: [target.identity]).map { FoldedName($0.name) })
    }
  }

  /// An index of the library.
  struct Index: Hashable {
    let name: String
    let columns: [FoldedName]
  }

  var name: String
  var columns: [Column] = []
  /// The columns of the primary key, in its order.
  var key: [FoldedName] = []
  /// The columns of the primary key.
  var identity: Set<FoldedName> { Set(key) }
  /// The columns of unique constraints, except that of the id.
  var uniqueKeys: Set<Set<FoldedName>> = []
  /// Unique indexes that another program has created, by their names.
  var otherUniqueKeys: [String: Set<FoldedName>] = [:]
  var foreignKeys: Set<ForeignKey> = []
  var indexes: Set<Index> = []
  /// True if the table's text has rules that no schema has, such as CHECK and COLLATE.
  var hasOtherText = false
  /// The columns of each key that compares values by another collation, and of each primary key
  /// that has an index although it is a row number.
  var oddKeys: [Set<FoldedName>] = []
  /// True if the table has rules that no schema has.
  var hasOtherRules: Bool { hasOtherText || !oddKeys.isEmpty }
  /// The names of the columns.
  var columnNames: Set<FoldedName> { Set(columns.map { FoldedName($0.name) }) }
  /// True if values must have the types of their columns.
  var isStrict = true

  /// Any table may be an entity's, because a migration or a tool may have given it the name.
  var isOwn: Bool { true }

  init(name: String) { self.name = name }

  init(_ entity: EntityDescription) {
    func names(_ attributes: [Int]) -> [FoldedName] {
      entity.sqlColumns(of: attributes).map { FoldedName($0.name) }
    }
    name = entity.name
    columns = entity.sqlColumns.map {
      Column(name: $0.name, type: TableSQL.type(of: $0), isOptional: $0.isOptional)
    }
    key = names([entity.identity])
    uniqueKeys = Set(entity.uniqueKeys.map { Set(names($0)) }).subtracting([identity])
    foreignKeys = Set(
      entity.checkedReferences.compactMap { ForeignKey(of: $0, in: entity) })
    indexes = Set(
      TableSQL.indexes(of: entity).map {
        Index(name: $0.name, columns: $0.columns.map(FoldedName.init))
      })
  }

  mutating func renameInKey(_ column: FoldedName, to new: FoldedName) {
    key = key.map { $0 == column ? new : $0 }
  }

  /// SQLite's name for the row number, or nil if columns use all of its names.
  var rowNumberName: String? {
    let taken = Set(columns.map { FoldedName($0.name) })
    return ["rowid", "oid", "_rowid_"].first { !taken.contains(FoldedName($0)) }
  }
}
