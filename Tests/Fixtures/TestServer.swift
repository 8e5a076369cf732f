#if PostgreSQL
import Foundation
import Locking
import TestSupport

/// A PostgreSQL server of the tests' own, in a temporary folder and on a socket in it.
///
/// One is shared by all tests of a process. A server ends with the process that started it: it runs
/// under a script that waits for the end of its input.
package final class TestServer: Sendable {
  /// The server, or the reason for which there is none.
  package static let shared: Result<TestServer, Unavailable> = {
    do { return .success(try TestServer()) } catch let error as Unavailable {
      return .failure(error)
    } catch {
      return .failure(Unavailable(reason: "\(error)"))
    }
  }()

  package struct Unavailable: Error, CustomStringConvertible {
    let reason: String
    package var description: String { "no PostgreSQL server for the tests: \(reason)" }
  }

  /// A connection string of a database of the server.
  package let connectionString: String
  private let input: Pipe?
  private let output: Pipe?
  /// The name under which a process finds the server of the process that started it.
  private static let variable = "SIGNALBOX_TEST_SERVER"
  private static let number = AtomicWord(0)

  /// Returns a connection string and the name of a schema that nobody else has.
  package static func place() throws -> (connectionString: String, schema: String) {
    let process = ProcessInfo.processInfo.processIdentifier
    return (try shared.get().connectionString, "test \(process) \(number.add(1))")
  }

  /// Returns the folder of the socket in a connection string of a server of the tests.
  package static func folder(_ connectionString: String) -> String {
    String(connectionString.split(separator: " ")[0].dropFirst("host=".count))
  }

  private convenience init() throws {
    // `CTestProcess` has made it, without a value. So its value is replaced below, while the table
    // of variables, which other threads may be reading, stays where it is.
    if let known = ProcessInfo.processInfo.environment[Self.variable], !known.isEmpty {
      self.init(known, nil, nil)
      return
    }
    try self.init(settings: [
      "fsync=off", "max_connections=300", "shared_buffers=32MB", "max_locks_per_transaction=256",
    ])
    setenv(Self.variable, connectionString, 1)
  }

  private init(_ connectionString: String, _ input: Pipe?, _ output: Pipe?) {
    (self.connectionString, self.input, self.output) = (connectionString, input, output)
  }

  /// Reads the connection string that a server's script prints when the server is ready.
  private static func line(_ output: Pipe) throws -> String {
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data([10]) {
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Starts a server with settings of its own.
  ///
  /// - Throws: ``Unavailable`` if none is installed, or if it doesn't start.
  /// - Parameters:
  ///   - settings: settings of the server, in the form `name=value`.
  ///   - environment: variables of the script's environment, `TMPDIR` for example.
  package convenience init(settings: [String], environment: [String: String] = [:]) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let server = Process()
    server.executableURL = root.appendingPathComponent("Scripts/postgresql-server")
    server.arguments = settings
    server.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Whoever waits for the end of the tests' output doesn't wait for the server.
    let errors = FileManager.default.temporaryDirectory
      .appendingPathComponent("signalbox-postgresql-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    let writing = try FileHandle(forWritingTo: errors)
    server.standardError = writing
    let (input, output) = try startingProcess {
      let (input, output) = (Pipe(), Pipe())
      server.standardInput = input
      server.standardOutput = output
      try server.run()
      return (input, output)
    }
    try writing.close()
    let line = try Self.line(output)
    if line.isEmpty {
      throw Unavailable(reason: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
    }
    // On a slow machine, a connection may take long.
    self.init(line + " connect_timeout=300", input, output)
  }

  /// A command to the script that runs the server.
  package enum Command: String, Sendable {
    /// Stops the server without a checkpoint, and starts it again.
    case crash
    /// Kills the server, and starts it again.
    case kill
    /// Makes a standby, which gets what is committed from then on.
    case standby
    /// Stops the standby.
    case pause
    /// Lets the server crash, and puts the standby in its place.
    case promote
  }

  /// Has the script do something, and waits until it is done.
  ///
  /// - Throws: ``Unavailable`` if the server doesn't start.
  package func run(_ command: Command) throws {
    guard let input, let output else {
      throw Unavailable(reason: "another process has started the server")
    }
    try input.fileHandleForWriting.write(contentsOf: Data("\(command.rawValue)\n".utf8))
    if try Self.line(output).isEmpty { throw Unavailable(reason: "it doesn't start again") }
  }

  /// Stops the server, as if its machine had lost power, and removes its files.
  package func stop() { try? input?.fileHandleForWriting.close() }
}
#endif
