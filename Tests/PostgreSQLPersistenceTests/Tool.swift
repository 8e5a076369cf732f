#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
import Foundation
@_spi(Storage) import PostgreSQLPersistence
import TestSupport
import Testing

/// Another program that writes to a server: psql.
final class Tool {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var rest: [UInt8] = []

  /// Runs SQL, each text in a transaction of its own unless it begins one.
  ///
  /// - Returns: true if it ended well.
  @discardableResult static func run(_ connectionString: String, _ texts: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
    process.arguments =
      ["-q", "-t", "-v", "ON_ERROR_STOP=1", connectionString] + texts.flatMap { ["-c", $0] }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    do { try startingProcess { try process.run() } } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Starts a psql that runs one text of SQL after another.
  ///
  /// - Parameters:
  ///   - connectionString: the connection string.
  ///   - schema: the schema in which tables are looked for first.
  /// - Throws: an error of the system.
  init(_ connectionString: String, schema: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
    process.arguments = ["-q", "-t", "-A", "-X", connectionString]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // A psql that the server refuses has ended when it is written to.
    signal(SIGPIPE, SIG_IGN)
    try startingProcess { try process.runWithTests() }
    run("SET search_path TO \"\(schema)\"")
  }

  deinit {
    // Another process may have its input, too, which then doesn't end.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Runs SQL, and waits for its end.
  ///
  /// - Returns: the lines that it returned.
  @discardableResult func run(_ sql: String) -> [String] {
    let end = "end of \(UUID().uuidString)"
    try? input.fileHandleForWriting.write(contentsOf: Data("\(sql);\n\\echo \(end)\n".utf8))
    var lines: [String] = []
    while let line = line(), line != end { lines.append(line) }
    return lines
  }

  private func line() -> String? {
    while true {
      if let place = rest.firstIndex(of: 10) {
        defer { rest.removeSubrange(...place) }
        return String(decoding: rest[..<place], as: UTF8.self)
      }
      let file = output.fileHandleForReading
      var wait = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 300_000) != 0 else {
        recordIssue("psql hasn't answered for five minutes")
        return nil
      }
      let more = file.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }
}

/// A schema on the server, where stores and another program write.
struct ToolPlace {
  let connectionString: String
  let schema: String

  init() throws { (connectionString, schema) = try TestServer.place() }

  func open(_ entities: [any Entity.Type] = [Person.self, Car.self]) throws -> Store {
    try Store(
      .postgreSQL(
        connectionString, schema: schema, durability: .normal, waiting: patience, attempts: 100),
      entities: entities)
  }

  /// Runs SQL as another program does.
  ///
  /// - Returns: true if it ended well.
  @discardableResult func psql(_ sql: String) -> Bool {
    Tool.run(connectionString, "SET search_path TO \"\(schema)\"", sql)
  }
}
#endif
