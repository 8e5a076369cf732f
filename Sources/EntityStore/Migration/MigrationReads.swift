/// The entities and the columns that the migrations of one opening request.
///
/// An entity without a table has no rows. But that may be a mistake: the table has another name. So
/// it is with columns.
package final class MigrationReads {
  /// The columns that were requested from rows, with the present name of their table.
  package private(set) var columns: [(table: FoldedName, absent: AbsentColumns)] = []
  /// A request for rows of an entity without a table.
  package struct Missing {
    package let migration: String
    /// The migration's position among those that have run.
    package let number: Int
    package let entity: String
    /// The name of the table that was given the entity's name later, or nil.
    package fileprivate(set) var formerTable: String?
  }

  /// The first request for each entity without a table.
  package private(set) var missing: [Missing] = []
  /// The last migration that has requested rows of a table, or inserted some.
  private var used: [FoldedName: Int] = [:]
  /// The tables that have had today's form since they were created.
  private var watched: Set<FoldedName> = []
  /// The name of the running migration, and its position.
  private var migration = ""
  private var number = 0

  package init() {}

  /// Begins the requests of the next migration.
  package func begin(_ migration: String) {
    self.migration = migration
    number += 1
  }

  // MARK: Columns

  /// Watches a table that has had today's form since it was created.
  package func watch(_ table: String, columns: [String]) {
    watched.insert(FoldedName(table))
    record(of: table, columns: columns)
  }

  /// Returns true if a table has had today's form since it was created.
  package func isWatched(_ table: FoldedName) -> Bool { watched.contains(table) }

  /// Ends the watch of a table that is another one from now on.
  package func forget(_ table: String) { watched.remove(FoldedName(table)) }

  /// Follows a table to its new name.
  package func rename(_ table: String, to new: String) {
    for name in [table, new] { forget(name) }
    let old = FoldedName(table)
    for index in columns.indices where columns[index].table == old {
      columns[index].table = FoldedName(new)
    }
    if let last = used[old] { used[FoldedName(new)] = last }
    for index in missing.indices where FoldedName(missing[index].entity) == FoldedName(new) {
      missing[index].formerTable = missing[index].formerTable ?? table
    }
  }

  /// Notes that a column has another name from now on.
  func renameColumn(_ column: String, of table: String) {
    for one in columns where one.table == FoldedName(table) { one.absent.forget(column) }
  }

  /// Returns the record of a table's rows that the running migration reads.
  @discardableResult
  package func record(of table: String, columns names: [String]) -> AbsentColumns {
    let name = FoldedName(table)
    let all = columns.filter { $0.table == name }.map(\.absent)
    if let known = all.first(where: { $0.migration == migration && $0.hasColumns(names) }) {
      return known
    }
    let had = all.reduce(into: Set<FoldedName>()) { $0.formUnion($1.had) }
    let absent = AbsentColumns(of: names, in: table, migration, number, had: had)
    columns.append((table: name, absent: absent))
    return absent
  }

  /// Returns true if a migration or a later one has used a column of a table.
  ///
  /// An earlier one was written before the migration, and for another form.
  package func hasUsed(_ column: String, of table: FoldedName, since number: Int) -> Bool {
    columns.contains {
      $0.table == table && $0.absent.number >= number && $0.absent.hasUsed(column)
    }
  }

  // MARK: Entities

  /// Notes that rows of an entity without a table are requested.
  func ask(_ entity: String) {
    if missing.contains(where: { TextBytes.equal($0.entity, entity) }) { return }
    missing.append(Missing(migration: migration, number: number, entity: entity))
  }

  /// Notes that a migration uses a table.
  func use(_ table: String) { used[FoldedName(table)] = number }

  /// Returns true if a migration or a later one has used a table.
  package func hasUsed(_ table: String, since number: Int) -> Bool {
    used[FoldedName(table)].map { $0 >= number } ?? false
  }
}
