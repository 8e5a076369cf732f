#if PostgreSQL
/// The failures that a returned commit to a server survives.
///
///     let store = try Store(.postgreSQL(url, durability: .normal), entities: [Dog.self])
public enum ServerDurability: Sendable, Hashable {
  /// The commit is on the server's disk, and on those of its synchronous standbys.
  ///
  /// It is what the server's `synchronous_commit` says.
  case full
  /// The commit survives the end of the program. A crash of the server may take back the last
  /// commits, which others may have read.
  case normal
}
#endif
