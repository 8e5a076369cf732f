#if PostgreSQL
internal import EntityStore

/// The faults of a server, by their codes ("SQLSTATE").
enum ServerFault {
  /// Returns the fault for a code of the server; nil stands for a connection that is lost.
  static func fault(
    _ code: String?, _ detail: String, of place: ServerPlace, while operation: String
  ) -> StorageFault {
    let (kind, advice) = advice(code)
    return StorageFault(
      kind, "\(place): \(advice)", operation: operation,
      detail: code.map { "\($0): \(detail)" } ?? detail)
  }

  /// Returns the fault of what can't begin, because another writer doesn't end.
  static func otherWriter(
    _ detail: String? = nil, of place: ServerPlace, while operation: String
  ) -> StorageFault {
    StorageFault(
      .busy, "\(place): another writer holds the lock for too long; try again",
      operation: operation, detail: detail)
  }

  /// Returns the fault of a write that has changed fewer rows of a table than it had to.
  static func unchanged(
    _ table: String, of place: ServerPlace, while operation: String
  ) -> StorageFault {
    StorageFault(
      .readOnly,
      "\(place): a policy or a trigger of the table \(table.harmless(atMost: 100)) keeps a row "
        + "from being written; let the role write each row, or drop the trigger",
      operation: operation)
  }

  /// Returns the error of what couldn't begin: a conflict is another writer that doesn't end.
  ///
  /// Nothing has been done that could give way to another transaction, or be made again.
  static func beginning(_ error: any Error, of connection: ServerConnection) -> any Error {
    guard case StoreError.storage(let fault) = error, fault.kind == .conflict else { return error }
    return StoreError.storage(
      otherWriter(fault.detail, of: connection.place, while: connection.operation))
  }

  /// Returns true if a fault may be one of a server that a pooler has lost.
  static func isOfServer(_ fault: StorageFault) -> Bool {
    let code = fault.detail ?? ""
    return fault.kind == .inputOutput || ["08", "57P", "58", "XX"].contains(where: code.hasPrefix)
  }

  /// Returns true if the same reads are likely to succeed a moment later.
  static func isTransient(_ error: any Error) -> Bool {
    guard case StoreError.storage(let fault) = error else { return false }
    return fault.kind == .conflict || fault.kind == .full
  }

  private static func advice(_ code: String?) -> (StorageFault.Kind, String) {
    guard let code else { return (.inputOutput, "the server can't be reached; try again") }
    switch code {
    case "53100": return (.full, "its disk is full; free some room and try again")
    case "53300": return (.busy, "it has no connection left; try again, or raise max_connections")
    case "57014": return (.busy, "the statement was cancelled; try again")
    case "55P03", "40P01", "40001":
      return (.conflict, "another transaction is in the way; make the commit again")
    case "25P03", "25P04":
      return (
        .busy,
        "the transaction was idle, or ran, for too long; do slow work before the commit or the read"
      )
    case "25006": return (.readOnly, "it is read-only; connect to the primary server")
    case "42501": return (.readOnly, "the role lacks a right; grant it, as the guide lists them")
    case "42P01", "42703", "42P07", "42701", "42804", "3F000", "0A000":
      return (.schemaMismatch, "its tables don't fit the schemas; open the store again")
    case "23503":
      return (
        .schemaMismatch,
        "a table refers to an object that is deleted, or another program has deleted an object "
          + "that is referred to; open the store with the entity of the table that the detail "
          + "names, too"
      )
    case "23505":
      return (
        .schemaMismatch,
        "another program's unique index, which the detail names, has the values already; drop that "
          + "index, or declare .unique"
      )
    case "XX001", "XX002": return (.corrupt, "its files are damaged; restore a backup")
    case "28000", "28P01": return (.cannotOpen, "it refuses the role or its password")
    case "3D000": return (.cannotOpen, "it has no database of that name; create it")
    case "54000":
      return (
        .other,
        "a value is too long for an index, and unique and indexed texts may have 2,600 bytes; or "
          + "the queue of NOTIFY is full, and a client that listens has to end its long transaction"
      )
    default:
      if code.hasPrefix("08") || code.hasPrefix("57P") {
        return (.inputOutput, "the connection was lost; try again")
      }
      return (.other, "the server refuses a statement")
    }
  }
}
#endif
