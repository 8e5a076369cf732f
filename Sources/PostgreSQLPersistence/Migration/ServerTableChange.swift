#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The change that a table needs to fit its schema: a value that is made without a server.
struct ServerTableChange {
  /// The source of a column's values.
  struct Source {
    let column: SQLColumn
    let attribute: EntityStore.Column
    let found: ServerShape.Column?
    /// The value for rows that have none, or nil if there is no such value.
    let fill: StoredValue?

    var type: ServerType { ServerType(column.type) }
    var isOfOtherType: Bool { found.map { $0.type != type } ?? false }
    var mayLackValue: Bool {
      !column.isOptional && fill == nil && (found.map(\.isOptional) ?? true)
    }
    /// True if several rows may get the same value, which is the default.
    var isFilled: Bool { fill != nil && (found?.isOptional ?? true) }
    var isAsWanted: Bool {
      found.map {
        $0.type == type && $0.isOptional == column.isOptional
          && TextBytes.equal($0.name, column.name)
      } ?? false
    }
  }

  let entity: EntityDescription
  let table: ServerTable
  let found: ServerShape?
  let sources: [Source]
  /// The names of columns that the schema drops.
  let dropped: [String]
  /// The names of columns that the schema had, and has no more, and doesn't drop.
  let unknown: [String]
  /// True if the rows have another id.
  let changesIdentity: Bool
  let needsIdentity: Bool
  /// The names of the library's constraints and indexes that the schema doesn't have.
  let obsolete: Set<String>

  /// Creates the change.
  ///
  /// - Parameters:
  ///   - entity: the entity.
  ///   - found: the table, or nil if there is none.
  ///   - isOwn: returns true if the library has made a column. Another one is left alone.
  init(
    _ entity: EntityDescription, from found: ServerShape?, isOwn: (_ column: String) -> Bool
  ) {
    self.entity = entity
    self.found = found
    table = ServerTable(entity)
    sources = entity.columns.flatMap { attribute in
      let values = attribute.defaultValue.map(attribute.sqlValues)
      return attribute.sqlColumns.enumerated().map { place, column in
        let existing = found?.column(column.name)
        let isNeeded = existing == nil || !column.isOptional
        let fill = values?[place]
        return Source(
          column: column, attribute: attribute, found: existing,
          fill: isNeeded && !(fill?.isNull ?? true) ? fill : nil)
      }
    }
    let wanted = Set(entity.sqlColumns.map { FoldedName($0.name) })
    let droppedNames = Set(entity.droppedNames.map(FoldedName.init))
    let others = (found?.columns ?? []).map(\.name).filter { !wanted.contains(FoldedName($0)) }
    dropped = others.filter { droppedNames.contains(FoldedName($0)) }
    unknown = others.filter { !droppedNames.contains(FoldedName($0)) && isOwn($0) }
    let identity = Set(entity.sqlColumns(of: [entity.identity]).map { FoldedName($0.name) })
    needsIdentity = found?.identity != identity
    changesIdentity = needsIdentity && !(found?.identity.isEmpty ?? true)
    let names = Set(table.constraints.map(\.name) + table.indexes.map(\.name))
    obsolete = (found?.ownNames ?? []).subtracting(names)
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

  /// True if rows need a column with their number.
  var needsRowNumber: Bool { entity.columns[entity.identity].type != .integer }

  /// True if the table fits its schema.
  var isEmpty: Bool {
    found != nil && !changesColumns && obsolete.isEmpty && missingConstraints.isEmpty
      && missingIndexes.isEmpty
  }
}
#endif
