#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The change that a table needs to fit its schema: a value that is made without a server.
struct ServerTableChange: TableChanging {
  typealias Source = ColumnSource<ServerShape.Column>

  let entity: EntityDescription
  let table: ServerTable
  let found: ServerShape?
  let sources: [Source]
  /// The names of columns that the schema drops.
  let dropped: [String]
  /// The names of columns that the schema had, and has no more, and doesn't drop.
  let unknown: [String]
  let changesIdentity: Bool
  let needsIdentity: Bool
  /// The names of the library's constraints that the schema doesn't have.
  ///
  /// Indexes that a rename has moved aside are among them.
  let obsolete: Set<String>
  /// The names of the library's other indexes that the schema doesn't have.
  ///
  /// They stay until the table changes otherwise: programs with another schema may use them.
  let obsoleteIndexes: Set<String>

  /// Creates the change of the table that was found, or of none.
  ///
  /// `isOwn` returns true if the library has made a column. Another one is left alone.
  init(
    _ entity: EntityDescription, from found: ServerShape?, isOwn: (_ column: String) -> Bool
  ) {
    self.entity = entity
    self.found = found
    table = ServerTable(entity)
    sources = Source.all(of: entity) { found?.column($0) }
    let wanted = Set(entity.sqlColumns.map { FoldedName($0.name) })
    let droppedNames = Set(entity.droppedNames.map(FoldedName.init))
    let others = (found?.columns ?? []).map(\.name).filter { !wanted.contains(FoldedName($0)) }
    dropped = others.filter { droppedNames.contains(FoldedName($0)) }
    unknown = others.filter { !droppedNames.contains(FoldedName($0)) && isOwn($0) }
    let identity = Set(entity.sqlColumns(of: [entity.identity]).map { FoldedName($0.name) })
    needsIdentity = found?.identity != identity
    changesIdentity = needsIdentity && !(found?.identity.isEmpty ?? true)
    let names = Set(table.constraints.map(\.name) + table.indexes.map(\.name))
    obsoleteIndexes = (found?.indexNames ?? []).subtracting(names)
    obsolete = (found?.ownNames ?? []).subtracting(names).subtracting(obsoleteIndexes)
  }

  /// The constraints and the indexes that the table lacks.
  var missingConstraints: [(name: String, rule: String, sql: String)] {
    table.constraints.filter { !(found?.ownNames.contains($0.name) ?? false) }
  }
  var missingIndexes: [(name: String, sql: String)] {
    table.indexes.filter { !(found?.ownNames.contains($0.name) ?? false) }
  }

  /// The unique keys that rows may break.
  var newKeys: [[Int]] {
    let filled = Set(sources.filter(\.isFilled).map(\.attribute.name))
    var keys = entity.uniqueKeys.filter { key in
      !(found?.ownNames.contains(table.uniqueName(of: key)) ?? false)
        || key.contains { filled.contains(entity.columns[$0].name) }
    }
    if needsIdentity { keys.append([entity.identity]) }
    return keys
  }

  /// True if the columns or the id change.
  var changesColumns: Bool {
    !dropped.isEmpty || !unknown.isEmpty || needsIdentity
      || sources.contains { !$0.isAsWanted } || needsRowNumber != (found?.hasRowNumber ?? false)
  }

  /// True if more changes than indexes that are added.
  var changesTable: Bool {
    changesColumns || !obsolete.isEmpty || !missingConstraints.isEmpty
  }

  /// True if rows need a column with their number.
  var needsRowNumber: Bool { entity.columns[entity.identity].type != .integer }

  /// True if the table fits its schema.
  var isEmpty: Bool { found != nil && !changesTable && missingIndexes.isEmpty }
}

extension ColumnSource where Found == ServerShape.Column {
  var type: ServerType { ServerType(column.type) }
  var isOfOtherType: Bool { found.map { $0.type != type } ?? false }
  /// True if whole numbers become numbers with a fraction.
  var isWidened: Bool { found?.type == .bigint && type == .double }
  var isAsWanted: Bool {
    found.map {
      $0.type == type && $0.isOfBytes && $0.isOptional == column.isOptional
        && TextBytes.equal($0.name, column.name)
    } ?? false
  }
}
#endif
