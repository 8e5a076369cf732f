internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The former names with which a file has been opened.
struct RenameHistory: SettledNames {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Creates the table if it doesn't exist.
  ///
  /// `entity` is NULL for claims about entities themselves.
  static func create(_ connection: Connection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.formerNames)")
  }

  func claims(of entity: String?) throws -> Set<Renames.Claim> {
    var claims: Set<Renames.Claim> = []
    // SQLite's `lower` folds ASCII letters, and no others.
    try connection.query("SELECT name, former FROM signalbox_names WHERE lower(entity) IS lower(?)")
      .run([entity.map { .text($0) } ?? .null]) {
        claims.insert(Renames.Claim($0.value(0).description, from: $0.value(1).description))
      }
    return claims
  }

  func add(_ name: String, from former: String, of entity: String?) throws {
    try connection.query("INSERT INTO signalbox_names (entity, name, former) VALUES (?, ?, ?)")
      .run([entity.map { .text($0) } ?? .null, .text(name), .text(former)])
  }

  func remove(_ claim: Renames.Claim, of entity: String?) throws {
    try connection.query(
      "DELETE FROM signalbox_names WHERE lower(entity) IS lower(?) AND lower(name) = ? AND lower(former) = ?"
    ).run([entity.map { .text($0) } ?? .null, .text(claim.name.text), .text(claim.former.text)])
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
