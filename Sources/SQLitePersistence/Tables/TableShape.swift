internal import EntityStore

/// What a table is made of, in a file or as a schema wants it.
struct TableShape: Hashable {
  struct Column: Hashable {
    let name: String
    /// The type as SQLite spells it; `ANY` where a migration has left values of any.
    let type: String
    let isOptional: Bool
  }

  struct ForeignKey: Hashable {
    let columns: [FoldedName]
    let target: FoldedName
    let targetColumns: [FoldedName]
  }

  /// An index of the library's.
  struct Index: Hashable {
    let name: String
    let columns: [FoldedName]
  }

  var name: String
  var columns: [Column] = []
  /// The columns of the primary key.
  var identity: Set<FoldedName> = []
  /// The columns of unique constraints, that of the id aside.
  var uniqueKeys: Set<Set<FoldedName>> = []
  /// Unique indexes that another program has made, by their names.
  var otherUniqueKeys: [String: Set<FoldedName>] = [:]
  var foreignKeys: Set<ForeignKey> = []
  var indexes: Set<Index> = []
  /// Whether it has rules that no schema has, such as CHECK and COLLATE.
  var hasOtherRules = false
  /// Whether values have the types of their columns.
  var isStrict = true

  init(name: String) { self.name = name }

  /// The table that a schema wants.
  init(_ entity: EntityDescription) {
    func names(_ attributes: [Int]) -> [FoldedName] {
      entity.sqlColumns(of: attributes).map { FoldedName($0.name) }
    }
    name = entity.name
    columns = entity.sqlColumns.map {
      Column(name: $0.name, type: TableSQL.type(of: $0), isOptional: $0.isOptional)
    }
    identity = Set(names([entity.identity]))
    uniqueKeys = Set(entity.uniqueKeys.map { Set(names($0)) }).subtracting([identity])
    foreignKeys = Set(
      entity.checkedReferences.compactMap { index in
        guard let target = entity.columns[index].reference?.target else { return nil }
        return ForeignKey(
          columns: names([index]), target: FoldedName(target.name),
          targetColumns: target.sqlColumns(of: [target.identity]).map { FoldedName($0.name) })
      })
    indexes = Set(
      TableSQL.indexes(of: entity).map {
        Index(name: $0.name, columns: $0.columns.map(FoldedName.init))
      })
  }

  /// The column with a name.
  func column(_ name: String) -> Column? {
    let folded = FoldedName(name)
    return columns.first { FoldedName($0.name) == folded }
  }

  /// What SQLite calls the number of a row, or nil if columns have all its names.
  var rowNumberName: String? {
    let taken = Set(columns.map { FoldedName($0.name) })
    return ["rowid", "oid", "_rowid_"].first { !taken.contains(FoldedName($0)) }
  }

  var quotedName: String { SQLName.quoted(name) }
}
