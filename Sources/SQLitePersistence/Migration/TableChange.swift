@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The change that a table needs to fit its schema: a value that is made without a file.
///
/// Parts that SQLite can add to a table are added. For all other changes the table is created
/// again, and its rows are copied. If there are rows, they are checked before.
struct TableChange: TableChanging {
  typealias Source = ColumnSource<TableShape.Column>

  enum Form: Hashable {
    case none
    case create
    /// Statements that add columns.
    case extend([String])
    case rebuild
  }

  let entity: EntityDescription
  let form: Form
  /// The sources of the columns' values, in the order of the schema.
  let sources: [Source]
  /// The names of columns that the schema doesn't have and doesn't drop.
  let unknown: [String]
  let changesIdentity: Bool
  /// True if the columns of the primary key are the schema's in another order.
  ///
  /// SQLite then scans the table for the first rows in the order of ids.
  let reordersIdentity: Bool
  /// The unique keys that the file's rows may break.
  let newKeys: [[Int]]
  /// A unique index of another program that isn't among the schema's keys.
  let otherUniqueKey: String?
  /// The foreign keys that the table lacks.
  let newReferences: Set<TableShape.ForeignKey>
  /// The library's indexes that the schema doesn't have.
  let obsoleteIndexes: [String]
  /// The indexes among them that no schema has, because a tool has made or changed them.
  let strangeIndexes: [String]
  /// The statements that create new indexes.
  let newIndexes: [String]

  /// Creates the change from the table that a file has, or from none.
  init(_ entity: EntityDescription, from found: TableShape?) {
    self.entity = entity
    let wanted = TableShape(entity)
    let all = TableSQL.indexes(of: entity)
    guard let found else {
      form = .create
      sources = []
      unknown = []
      changesIdentity = false
      reordersIdentity = false
      newKeys = []
      otherUniqueKey = nil
      newReferences = []
      obsoleteIndexes = []
      strangeIndexes = []
      newIndexes = all.map(\.sql)
      return
    }
    sources = Source.all(of: entity) { found.column($0) }
    let names = Set(wanted.columns.map { FoldedName($0.name) })
    let dropped = Self.droppedNames(of: entity, in: found)
    let others = found.columns.map(\.name).filter { !names.contains(FoldedName($0)) }
    unknown = others.filter { !dropped.contains(FoldedName($0)) }
    changesIdentity = !found.identity.isEmpty && found.identity != wanted.identity
    reordersIdentity = found.identity == wanted.identity && found.key != wanted.key
    let filled = sources.filter(\.isFilled)
    newKeys = ([[entity.identity]] + entity.uniqueKeys).filter { key in
      let names = Set(entity.sqlColumns(of: key).map { FoldedName($0.name) })
      // Values that were nil, which any number of objects may have, become equal.
      let isFilled = filled.contains { names.contains(FoldedName($0.column.name)) }
      return names != found.identity && (isFilled || !found.uniqueKeys.contains(names))
    }
    otherUniqueKey = found.otherUniqueKey(besides: wanted)

    // Adding is tried for all missing columns.
    let added = sources.filter { $0.found == nil }
    let statements = added.map {
      TableSQL.add($0.column, of: $0.attribute, to: entity, value: $0.fill ?? .null)
    }
    let addedNames = Set(added.map { FoldedName($0.column.name) })
    newReferences = wanted.foreignKeys.subtracting(found.foreignKeys)
    // An added column brings its foreign key along.
    let missing = newReferences.filter { !$0.columns.allSatisfy(addedNames.contains) }
    let canStay =
      others.isEmpty && !found.hasOtherRules && found.key == wanted.key
      && found.uniqueKeys == wanted.uniqueKeys && missing.isEmpty
      && found.foreignKeys.isSubset(of: wanted.foreignKeys)
      && sources.allSatisfy { $0.found == nil || $0.isAsWanted }
      && statements.allSatisfy { $0 != nil }
    form = canStay ? (added.isEmpty ? .none : .extend(statements.compactMap { $0 })) : .rebuild
    if form == .rebuild {
      // They are dropped with the table.
      obsoleteIndexes = []
      strangeIndexes = []
      newIndexes = all.map(\.sql)
    } else {
      let kept = found.indexes.intersection(wanted.indexes).map(\.name)
      let others = found.indexes.subtracting(wanted.indexes)
      obsoleteIndexes = others.map(\.name).sorted()
      strangeIndexes = others.filter { !$0.isMade(for: entity) }.map(\.name).sorted()
      newIndexes = all.filter { !kept.contains($0.name) }.map(\.sql)
    }
  }

  /// Returns the names of the columns that a schema drops.
  ///
  /// The name of a reference to a composite id stands for the reference's columns. Only a foreign
  /// key shows that columns are such ones: other names may begin alike.
  private static func droppedNames(
    of entity: EntityDescription, in found: TableShape
  ) -> Set<FoldedName> {
    var names = Set(entity.droppedNames.map(FoldedName.init))
    for key in found.foreignKeys where key.columns.count > 1 {
      let isDropped = entity.droppedNames.contains { name in
        key.columns.elementsEqual(key.targetColumns) { $0 == FoldedName("\(name)_\($1.text)") }
      }
      if isDropped { names.formUnion(key.columns) }
    }
    return names
  }
}

extension TableShape.Index {
  /// Returns true if a schema of an entity may have the index: its name is that of its columns.
  fileprivate func isMade(for entity: EntityDescription) -> Bool {
    let list = columns.map { SQL.quoted($0.text) }.joined(separator: " ")
    let wanted = TableSQL.indexPrefix + "\(entity.quotedName) \(list)"
    return !columns.isEmpty && FoldedName(name) == FoldedName(wanted)
  }
}
