@_spi(Storage) package import EntityStore

/// A record of a store's past: the names of the migrations that have run, and the schemas that its
/// tables have had.
package struct SchemaRecord {
  package private(set) var migrations: Set<ExactText> = []
  /// The current description of each table, from its last schema.
  package private(set) var current: [FoldedName: ExactText] = [:]
  private var past: [FoldedName: Set<ExactText>] = [:]

  package init() {}

  package mutating func note(migration: String) { migrations.insert(ExactText(migration)) }

  /// Notes the description of a table of the next schema, and returns whether it is a new one.
  @discardableResult
  package mutating func note(_ description: String, of entity: String) -> Bool {
    let name = FoldedName(entity)
    let description = ExactText(description)
    let old = current.updateValue(description, forKey: name)
    if old == description { return false }
    if let old { past[name, default: []].insert(old) }
    return true
  }

  /// Throws if a table has had a description and has another one now.
  package func checkAge(_ description: String, of entity: String, place: String) throws {
    let (name, description) = (FoldedName(entity), ExactText(description))
    guard current[name] != description, past[name]?.contains(description) ?? false else { return }
    throw StoreError.fault(
      .newer,
      "\(place): a later version of the app has migrated the table of \(entity); update the app. If "
        + "this is the newest version, its schema goes back to an earlier one, or an older version "
        + "has opened the tables since: add a migration to the list, which may do nothing")
  }

  /// Returns true if a table has a description and has never had another one.
  package func hasAlwaysBeen(_ description: String, of entity: String) -> Bool {
    let name = FoldedName(entity)
    return current[name] == ExactText(description) && past[name] == nil
  }

  /// Returns true if a current or former schema of a table names a column.
  package func hasHad(_ column: String, _ table: FoldedName) -> Bool {
    let quoted = FoldedName.folded(SQL.quoted(column))
    let schemas = (past[table] ?? []).union(current[table].map { [$0] } ?? [])
    return schemas.contains { FoldedName.folded($0.text).contains(quoted) }
  }

  /// Throws if a migration has run that the program doesn't have.
  package func checkMigrations(_ known: Set<ExactText>, place: String) throws {
    let unknown = migrations.subtracting(known).map(\.text)
    guard let name = unknown.min(by: { TextBytes.compare($0, $1) < 0 }) else { return }
    throw StoreError.fault(
      .newer,
      "\(place): a later version of the app has run the migration \"\(name)\"; update the app, or put "
        + "that migration back into the list")
  }
}
