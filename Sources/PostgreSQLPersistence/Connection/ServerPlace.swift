#if PostgreSQL
internal import EntityStore

/// A schema of a database, as messages name it: never with a password.
struct ServerPlace: Sendable, CustomStringConvertible {
  let host: String
  let database: String
  let schema: String

  var description: String {
    "The schema \(schema) of the database \(database) on \(host)".harmless(atMost: 300)
  }
}
#endif
