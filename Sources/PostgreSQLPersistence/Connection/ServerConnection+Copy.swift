#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

extension ServerConnection {
  /// Copies rows into a table, in parts of some kilobytes.
  ///
  /// `sql` is a COPY from the standard input, in binary form. `body` calls its argument with each
  /// row. No setting of the server ends a COPY whose client stops: the server doesn't look for a
  /// cancellation while it waits for rows.
  ///
  /// - Returns: the number of rows that the server has inserted.
  func copy(
    _ sql: String, _ body: ((_ row: (inout ServerBytes) -> Void) throws -> Void) throws -> Void
  ) throws -> Int {
    _ = try flush()
    let begun = PQexec(handle, sql)
    guard PQresultStatus(begun) == PGRES_COPY_IN else {
      _ = try checked(begun)
      throw lostFault
    }
    PQclear(begun)
    var bytes = ServerBytes()
    bytes.all = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    func put() throws {
      // A message of the server has less than a gigabyte.
      let isSent = bytes.all.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 1 << 24).allSatisfy { start in
          let piece = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(1 << 24))
          return PQputCopyData(
            handle, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count)) == 1
        }
      }
      guard isSent else { throw lostFault }
      bytes.all.removeAll(keepingCapacity: true)
    }
    var failure: (any Error)?
    do {
      try body { row in
        row(&bytes)
        if bytes.all.count >= 1 << 16 { try put() }
      }
      bytes.append(Int16(-1))
      try put()
    } catch { failure = error }
    guard PQputCopyEnd(handle, failure == nil ? nil : "the rows can't be read") == 1 else {
      isBroken = true
      throw lostFault
    }
    var count = 0
    while let result = PQgetResult(handle) {
      do { count += try checked(result).changeCount } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return count
  }
}
#endif
