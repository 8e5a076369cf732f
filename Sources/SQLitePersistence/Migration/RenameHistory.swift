internal import EntityStore

/// The former names with which a file has been opened.
///
/// The renames that they require have been done. If two names have been exchanged, nothing else in
/// the file shows that.
struct RenameHistory {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Creates the table if it doesn't exist.
  ///
  /// `entity` is NULL for claims about entities themselves.
  static func create(_ connection: Connection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.formerNames)")
  }

  /// Returns the claims about the attributes of a table's entity, or about the entities.
  func claims(of entity: String?) throws -> Set<Renames.Claim> {
    var claims: Set<Renames.Claim> = []
    // SQLite's `lower` folds ASCII letters, and no others.
    try connection.query("SELECT name, former FROM signalbox_names WHERE lower(entity) IS lower(?)")
      .run([entity.map { .text($0) } ?? .null]) {
        claims.insert(Renames.Claim($0.value(0).description, from: $0.value(1).description))
      }
    return claims
  }

  /// Records the claims of a schema.
  func settle(_ all: [Renames.Named], of entity: String?) throws {
    guard all.contains(where: { !$0.formerNames.isEmpty }) else { return }
    var known = try claims(of: entity)
    for named in all {
      for former in named.formerNames
      where known.insert(Renames.Claim(named.name, from: former)).inserted {
        try connection.query("INSERT INTO signalbox_names (entity, name, former) VALUES (?, ?, ?)")
          .run([entity.map { .text($0) } ?? .null, .text(named.name), .text(former)])
      }
    }
  }

  /// Deletes the claims that a schema doesn't make any more, because a migration has undone them.
  func forget(but all: [Renames.Named], of entity: String?) throws {
    let wanted = Renames.claims(all)
    let names = Set(all.map { FoldedName($0.name) })
    for claim in try claims(of: entity) where names.contains(claim.name) && !wanted.contains(claim)
    {
      try connection.query(
        "DELETE FROM signalbox_names WHERE lower(entity) IS lower(?) AND lower(name) = ? AND lower(former) = ?"
      ).run([entity.map { .text($0) } ?? .null, .text(claim.name.text), .text(claim.former.text)])
    }
  }

  /// Updates the claims of a table that has been renamed.
  func rename(_ table: String, to new: String) throws {
    try connection.query("UPDATE signalbox_names SET entity = ? WHERE lower(entity) = lower(?)")
      .run([.text(new), .text(table)])
  }

  /// Deletes the claims about the attributes of a table that has been deleted.
  func forget(_ table: String) throws {
    try connection.query("DELETE FROM signalbox_names WHERE lower(entity) = lower(?)")
      .run([.text(table)])
  }
}
