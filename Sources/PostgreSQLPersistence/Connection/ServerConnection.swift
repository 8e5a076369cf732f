#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A connection to a server, for one thread at a time.
class ServerConnection {
  /// A statement that is sent with the next ones.
  struct Queued {
    let statement: ServerStatement
    let parameters: UnsafeParameters
    /// A closure that takes its rows, or nil.
    let body: ((UnsafeServerResult) -> Void)?
  }

  /// A message to the server that it answers.
  enum Sent {
    case preparation(ServerStatement)
    /// A statement, and a closure that takes its rows.
    case run(ServerStatement, ((UnsafeServerResult) -> Void)?)
    case end

    /// The table to which the statement has to write each row, or nil.
    var table: String? { if case .run(let statement, _) = self { statement.table } else { nil } }
  }

  final let handle: OpaquePointer
  /// The number of the connection among those that the process has made.
  final let serial = ServerConnection.made.add(1)
  private static let made = AtomicWord(0)
  final let place: ServerPlace
  /// True if a pooler gives each transaction another session of the server.
  ///
  /// Then nothing that belongs to a session is used: no settings, no prepared statements.
  final let isPooled: Bool
  /// The operation that is under way, for the messages of faults.
  final var operation = "connecting"
  /// The statements that are sent next, together.
  final var queue: [Queued] = []
  /// The statement that is put before the next one, or nil.
  final var lead: Queued?
  /// The messages that were sent, in their order, and whose results haven't been read.
  final var sent: [Sent] = []
  /// The statements that were made for one query, by their SQL and the types of their parameters.
  final var queries: [ServerStatement.Key: ServerStatement] = [:]
  /// The first error since the last transaction began, or since a savepoint to which it was rolled
  /// back, or nil.
  ///
  /// The server refuses everything else in the transaction then.
  final var transactionFault: (any Error)?
  /// True if the server has refused a write of the session, because it is read-only.
  ///
  /// The session stays read-only after the database's setting has changed.
  final var isReadOnly = false
  /// True if messages may be out of step, so that nothing more is sent.
  final var isBroken = false
  final var cursorCount = 0
  final var prepared: [ServerStatement] = []
  /// The number of statements that were ever prepared, for their names.
  final var preparedCount = 0

  /// Connects to a server, or to a pooler in transaction mode if `isPooled` is true.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the string can't be parsed, or if the
  ///   server can't be reached, refuses, or isn't fit.
  init(_ connectionString: String, schema: String, isPooled: Bool = false) throws {
    try ServerAddress.check(connectionString)
    self.isPooled = isPooled
    // A pooler is one host.
    let primary = isPooled ? [] : ServerAddress.primary(connectionString)
    // Later settings win, so these are defaults of ours that the app's string replaces.
    let parameters =
      [
        ("connect_timeout", "10"), ("keepalives_idle", "5"), ("keepalives_interval", "5"),
        ("keepalives_count", "2"), ("tcp_user_timeout", "15000"),
      ] + ServerAddress.encryption(connectionString) + primary + [
        ("dbname", connectionString), ("client_encoding", "UTF8"),
        ("application_name", "signalbox"),
      ]
    let connection = Self.connect(parameters)
    guard let connection else {
      throw StoreError.fault(.other, "No memory is left for a connection")
    }
    handle = connection
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    let host = text(PQhost(handle))
    place = ServerPlace(
      host: host.isEmpty ? "localhost" : host, database: text(PQdb(handle)), schema: schema)
    // The server's notices are for its log.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    guard PQstatus(handle) == CONNECTION_OK else {
      let message = lastMessage
      let (kind, advice) = ServerAddress.advice(message)
      throw StoreError.fault(
        kind, "\(place): the server can't be reached or refuses; \(advice)", operation: operation,
        detail: message)
    }
    guard PQserverVersion(handle) >= 150_000 else {
      throw StoreError.fault(
        .cannotOpen,
        "\(place): the server is too old (\(PQserverVersion(handle) / 10_000)); use version 15 or later"
      )
    }
    if !isPooled {
      // A server on Windows can't look at connections while a statement runs.
      do { try execute("SET client_connection_check_interval = '5s'") } catch StoreError.storage(
        let fault) where fault.detail?.hasPrefix("22023") ?? false
      {}
      try execute(
        """
        SET tcp_keepalives_idle = 5; \
        SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 2; SET tcp_user_timeout = 15000; \
        SET client_min_messages = error; SET extra_float_digits = 1
        """)
    }
    guard text(PQparameterStatus(handle, "server_encoding")) == "UTF8" else {
      throw StoreError.fault(
        .schemaMismatch,
        "\(place): the database's texts aren't UTF-8; create it with ENCODING 'UTF8' TEMPLATE template0"
      )
    }
    // A pooler may report a state from before a standby was promoted. So the server is asked.
    if text(PQparameterStatus(handle, "in_hot_standby")) == "on",
      try execute("SHOW in_hot_standby").text(0, 0) == "on"
    {
      throw StoreError.fault(
        .readOnly, "\(place): it is a standby; connect to the primary server",
        operation: operation)
    }
  }

  deinit { PQfinish(handle) }

  private static func connect(_ settings: [(String, String)]) -> OpaquePointer? {
    let words = settings.map { (strdup($0.0), strdup($0.1)) }
    defer {
      for (key, value) in words {
        free(key)
        free(value)
      }
    }
    let keys = words.map { UnsafePointer($0.0) } + [nil]
    let values = words.map { UnsafePointer($0.1) } + [nil]
    return PQconnectdbParams(keys, values, 1)
  }

  /// The socket, for a thread that waits for news.
  var socket: Int32 { PQsocket(handle) }

  var isSound: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK }

  /// Returns true unless it is known that the connection was lost while nobody used it.
  final func isAlive() -> Bool {
    // The first look may find an answer, and the second one that nothing more will come.
    for _ in 0..<2 where !isSound || PQconsumeInput(handle) == 0 { return false }
    return isSound
  }

  /// True if a transaction is open, sound or not.
  var isInTransaction: Bool {
    let status = PQtransactionStatus(handle)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
  }

  /// Forgets the statements that wait, and ends the transaction, if there is one.
  func rollBack() {
    queue = []
    if !sent.isEmpty { _ = try? flush() }
    if isSound && isInTransaction { _ = try? execute("ROLLBACK") }
    transactionFault = nil
    cursorCount = 0
  }

  private var lastMessage: String {
    let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    return message.split(whereSeparator: { $0 == "\n" || $0 == "\t" }).joined(separator: " ")
      .harmless(atMost: 500)
  }

  /// Runs statements without parameters, and returns the rows of the last one as texts.
  @discardableResult func execute(_ sql: String) throws -> UnsafeServerResult {
    _ = try flush()
    do { return try checked(PQexec(handle, sql)) } catch {
      // The server refuses all statements after the one that has failed, and doesn't say why.
      if PQtransactionStatus(handle) == PQTRANS_INERROR {
        transactionFault = transactionFault ?? error
      }
      throw error
    }
  }

  /// Returns the rows of a result, which it owns from now on.
  ///
  /// `table` is the table to which the statement has to write each row, or nil.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the result is an error.
  func checked(_ result: OpaquePointer?, writing table: String? = nil) throws -> UnsafeServerResult
  {
    let status = PQresultStatus(result)
    if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY {
      return UnsafeServerResult(result)
    }
    defer { PQclear(result) }
    // There is no code if the connection was lost.
    let code = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    if code == "25006" { isReadOnly = true }
    let message =
      PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
      ?? lastMessage
    if let table, code == CountedWrite.code, message.contains(CountedWrite.mark) {
      throw unchanged(table)
    }
    throw StoreError.storage(
      ServerFault.fault(
        code, message.harmless(atMost: 500), of: place, while: operation))
  }

  /// Returns the fault of a statement that has changed fewer rows of a table than it had to.
  func unchanged(_ table: String) -> StoreError {
    .storage(ServerFault.unchanged(table, of: place, while: operation))
  }

  var lostFault: StoreError {
    .storage(ServerFault.fault(nil, lastMessage, of: place, while: operation))
  }

  // MARK: News

  /// Reads what has arrived, and returns true if a notification of another connection is among it.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the connection is lost.
  func consumeNotifications() throws -> Bool {
    guard PQconsumeInput(handle) == 1 else { throw lostFault }
    var hasNews = false
    while let notification = PQnotifies(handle) {
      if notification.pointee.be_pid != PQbackendPID(handle) { hasNews = true }
      PQfreemem(notification)
    }
    return hasNews
  }
}
#endif
