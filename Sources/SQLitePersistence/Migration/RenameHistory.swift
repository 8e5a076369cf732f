internal import EntityStore

/// Which former names a file has been opened with.
///
/// What they say has been done then. Where two have exchanged their names, nothing else in the file says
/// so.
struct RenameHistory {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Makes the table that isn't there; `entity` is NULL for what is said of entities themselves.
  static func create(_ connection: Connection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.formerNames)")
  }

  /// What has been said of the attributes of a table's entity, or of the entities.
  func claims(of entity: String?) throws -> Set<Renames.Claim> {
    var claims: Set<Renames.Claim> = []
    // SQLite's `lower` folds the letters of ASCII, and no others.
    try connection.query("SELECT name, former FROM signalbox_names WHERE lower(entity) IS lower(?)")
      .run([entity.map { .text($0) } ?? .null]) {
        claims.insert(Renames.Claim($0.value(0).description, from: $0.value(1).description))
      }
    return claims
  }

  /// Remembers what a schema says.
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

  /// Forgets what a schema doesn't say any more, which a migration has undone.
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

  /// Follows a table that has another name.
  func rename(_ table: String, to new: String) throws {
    try connection.query("UPDATE signalbox_names SET entity = ? WHERE lower(entity) = lower(?)")
      .run([.text(new), .text(table)])
  }

  /// Forgets what was said of the attributes of a table that has gone.
  func forget(_ table: String) throws {
    try connection.query("DELETE FROM signalbox_names WHERE lower(entity) = lower(?)")
      .run([.text(table)])
  }
}
