#if PostgreSQL
import CPostgreSQLBaseline
import EntityStore
import PostgreSQLPersistence

/// Items in a schema of a server through libpq: the least that a program has to do.
///
/// The table, the lock, the transactions and the log's rows are Signalbox's. Every statement is
/// prepared once, values are in binary form, and what needs no answer is sent together.
final class PostgreSQLItems {
  private let handle: OpaquePointer
  private let table: String
  /// What the log keeps of each commit.
  var payload: [UInt8]?
  private var answers = 0

  /// Connects, and prepares the statements; the store has made the tables.
  init(_ place: ServerOfItems, isSynchronous: Bool = false) throws {
    guard let handle = PQconnectdb(place.connectionString), PQstatus(handle) == CONNECTION_OK else {
      throw BenchmarkError.wrong("the server can't be reached")
    }
    self.handle = handle
    let schema = "\"\(place.schema)\""
    table = "\(schema).\"Item\""
    let log = "\(schema).\"signalbox_log\""
    // Without it, triggers would log what it writes.
    try run(
      "SET signalbox.writer = 'store'; SET synchronous_commit = \(isSynchronous ? "on" : "off")")
    for (name, sql) in [
      ("begin", "BEGIN"), ("commit", "COMMIT"),
      (
        "lock",
        "SELECT pg_advisory_xact_lock(1398959992, (SELECT oid::int FROM pg_namespace WHERE nspname = '\(place.schema)'))"
      ),
      (
        "payload",
        "SELECT COALESCE(octet_length(changes), 0)::bigint FROM \(log) ORDER BY version DESC LIMIT 1"
      ),
      ("newest", "SELECT version, token FROM \(log) ORDER BY version DESC LIMIT 1"),
      ("find", "SELECT id, name, number FROM \(table) WHERE id = $1::bigint"),
      ("update", "UPDATE \(table) SET name = $2::text, number = $3::bigint WHERE id = $1::bigint"),
      (
        "log",
        "INSERT INTO \(log) (version, token, changes) VALUES ($1::bigint, $2::bigint, $3::bytea)"
      ),
      ("all", "SELECT id, name, number FROM \(table) ORDER BY id"),
      (
        "several",
        "SELECT id, name, number FROM \(table) WHERE id = ANY ($1::bigint[])"
      ),
    ] {
      try check(PQprepare(handle, name, sql, 0, nil))
    }
  }

  deinit { PQfinish(handle) }

  // MARK: Writing

  /// Inserts items in one transaction, by COPY.
  func copy(_ items: [Item]) throws {
    let version = try begin()
    try run("COPY \(table) (id, name, number) FROM STDIN (FORMAT binary)", PGRES_COPY_IN)
    var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    for item in items {
      Self.append(Int16(3), to: &bytes)
      Self.append(Int32(8), to: &bytes)
      Self.append(Int64(item.id), to: &bytes)
      Self.append(Int32(item.name.utf8.count), to: &bytes)
      bytes.append(contentsOf: item.name.utf8)
      Self.append(Int32(8), to: &bytes)
      Self.append(Int64(item.number), to: &bytes)
      if bytes.count > 1 << 16 {
        try put(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    Self.append(Int16(-1), to: &bytes)
    try put(bytes)
    guard PQputCopyEnd(handle, nil) == 1 else { throw failure }
    try check(PQgetResult(handle))
    PQclear(PQgetResult(handle))
    try end(version)
  }

  private func put(_ bytes: [UInt8]) throws {
    let isSent = bytes.withUnsafeBytes {
      PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
    }
    guard isSent == 1 else { throw failure }
  }

  /// Counts the numbers of some items up in one transaction, each read before it is written, since
  /// the log keeps what it was.
  func countUp(_ ids: Range<Int>) throws {
    let version = try begin()
    let items = try ids.compactMap(item)
    try enterPipeline()
    for item in items {
      try send(
        "update",
        [.integer(Int64(item.id)), .text(item.name), .integer(Int64(item.number &+ 1))])
    }
    try end(version)
  }

  private func begin() throws -> Int64 {
    try enterPipeline()
    try send("begin", [])
    try send("lock", [])
    try send("newest", [])
    let results = try answersOfAll()
    defer { for result in results { PQclear(result) } }
    return results[2].map { PQntuples($0) == 0 ? 0 : Self.integer($0, 0, 0) } ?? 0
  }

  /// Writes the log's row, and commits.
  private func end(_ version: Int64) throws {
    if answers == 0 { try enterPipeline() }
    try send(
      "log", [.integer(version + 1), .integer(.random(in: .min ... .max)), .bytes(payload ?? [])])
    try send("commit", [])
    for result in try answersOfAll() { PQclear(result) }
  }

  // MARK: Reading

  /// As many bytes as the log has of the last commit.
  func lastPayload() throws -> [UInt8] {
    let result = exec("payload", [])
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1 else { throw failure }
    return [UInt8](repeating: 0xA5, count: Int(Self.integer(result, 0, 0)))
  }

  func item(_ id: Int) throws -> Item? {
    let result = exec("find", [.integer(Int64(id))])
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure }
    return PQntuples(result) == 0 ? nil : Self.item(result, 0)
  }

  /// Items by their ids.
  func items(_ ids: [Int]) throws -> [Item?] {
    var array: [UInt8] = []
    for number in [1, 0, 20, Int32(ids.count), 1] { Self.append(number, to: &array) }
    for id in ids {
      Self.append(Int32(8), to: &array)
      Self.append(Int64(id), to: &array)
    }
    let result = exec("several", [.bytes(array)])
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure }
    var found: [Int: Item] = [:]
    for row in 0..<PQntuples(result) {
      let item = Self.item(result, row)
      found[item.id] = item
    }
    return ids.map { found[$0] }
  }

  func all() throws -> [Item] {
    let result = exec("all", [])
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure }
    return (0..<PQntuples(result)).map { Self.item(result, $0) }
  }

  private static func item(_ result: OpaquePointer?, _ row: Int32) -> Item {
    let name = UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, 1), count: Int(PQgetlength(result, row, 1)))
    return Item(
      id: Int(integer(result, row, 0)), name: String(decoding: name, as: UTF8.self),
      number: Int(integer(result, row, 2)))
  }

  private static func integer(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) -> Int64 {
    guard let value = PQgetvalue(result, row, column) else { return 0 }
    return Int64(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: Int64.self))
  }

  // MARK: Statements

  private enum Value {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private func withPointers<Result>(
    _ values: [Value],
    _ body: (
      Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for value in values {
      starts.append(bytes.count)
      switch value {
      case .integer(let number): Self.append(number, to: &bytes)
      case .text(let text): bytes.append(contentsOf: text.utf8)
      case .bytes(let content): bytes.append(contentsOf: content)
      }
    }
    let lengths = starts.indices.map {
      Int32(($0 + 1 < starts.count ? starts[$0 + 1] : bytes.count) - starts[$0])
    }
    let formats = [Int32](repeating: 1, count: values.count)
    bytes.append(0)
    return bytes.withUnsafeBytes { bytes in
      let first = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = starts.map { start in first.map { UnsafePointer($0 + start) } }
      return body(Int32(values.count), pointers, lengths, formats)
    }
  }

  private func exec(_ name: String, _ values: [Value]) -> OpaquePointer? {
    withPointers(values) { PQexecPrepared(handle, name, $0, $1, $2, $3, 1) }
  }

  private func enterPipeline() throws {
    guard PQenterPipelineMode(handle) == 1 else { throw failure }
    answers = 0
  }

  private func send(_ name: String, _ values: [Value]) throws {
    let isSent = withPointers(values) { PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) }
    guard isSent == 1 else { throw failure }
    answers += 1
  }

  private func answersOfAll() throws -> [OpaquePointer?] {
    guard PQpipelineSync(handle) == 1 else { throw failure }
    var results: [OpaquePointer?] = []
    for _ in 0..<answers {
      let result = PQgetResult(handle)
      let status = PQresultStatus(result)
      guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else { throw failure }
      results.append(result)
      PQclear(PQgetResult(handle))
    }
    answers = 0
    PQclear(PQgetResult(handle))
    PQexitPipelineMode(handle)
    return results
  }

  private func run(_ sql: String, _ wanted: ExecStatusType = PGRES_COMMAND_OK) throws {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == wanted else { throw failure }
  }

  private func check(_ result: OpaquePointer?) throws {
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
  }

  private var failure: BenchmarkError {
    .wrong("libpq says \(PQerrorMessage(handle).map { String(cString: $0) } ?? "nothing")")
  }
}
#endif
