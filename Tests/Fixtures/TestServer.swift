#if PostgreSQL
import Foundation
import Locking
import TestSupport

/// A PostgreSQL server of the tests' own, in a temporary folder and on a socket in it.
///
/// It is started once for a process of tests, and ends with it: it runs under a shell that waits for
/// the end of its input.
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

  package let folder: String
  private let input: Pipe?
  /// The name under which a process finds the server of the process that started it.
  private static let variable = "SIGNALBOX_TEST_SERVER"
  private static let number = AtomicWord(0)

  /// A connection string of a database of the server.
  package var connectionString: String { "host=\(folder) user=postgres dbname=postgres" }

  /// Returns a connection string and the name of a schema that nobody else has.
  package static func place() throws -> (connectionString: String, schema: String) {
    let process = ProcessInfo.processInfo.processIdentifier
    return (try shared.get().connectionString, "test \(process) \(number.add(1))")
  }

  private init() throws {
    if let folder = ProcessInfo.processInfo.environment[Self.variable] {
      (self.folder, input) = (folder, nil)
      return
    }
    guard let programs = Self.programs else {
      throw Unavailable(reason: "initdb isn't installed; install Debian's postgresql")
    }
    folder = Self.newFolder
    atexit { try? FileManager.default.removeItem(atPath: TestServer.newFolder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // The server refuses to run as root.
    let isRoot = getuid() == 0
    let asUser = isRoot ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""
    if isRoot { try Self.run("chown postgres '\(folder)'") }
    let data = "\(folder)/data"
    try Self.run(
      "cd / && \(asUser)'\(programs)/initdb' -D '\(data)' -A trust -U postgres -E UTF8 --locale=C -N >'\(folder)/initdb.log' 2>&1"
    )
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments = [
      "-c",
      """
      cd /; \(asUser)'\(programs)/postgres' -D '\(data)' -k '\(folder)' -c listen_addresses= -c fsync=off \
        -c max_connections=300 -c shared_buffers=32MB -c max_locks_per_transaction=256 </dev/null >'\(folder)/server.log' 2>&1 &
      trap '' HUP INT TERM; read line; kill -QUIT $!; wait $!; rm -rf '\(folder)'
      """,
    ]
    let input = Pipe()
    self.input = input
    server.standardInput = input
    // Whoever waits for the end of the tests' output doesn't wait for the server.
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    // It says nothing when it is ready, so it is asked, for five minutes on a slow machine.
    for _ in 0..<3000 {
      if (try? Self.run("'\(programs)/pg_isready' -q -h '\(folder)'")) != nil {
        setenv(Self.variable, folder, 1)
        return
      }
      Thread.sleep(forTimeInterval: 0.1)
    }
    throw Unavailable(reason: "it doesn't start; see \(folder)/server.log")
  }

  private static let newFolder =
    NSTemporaryDirectory() + "signalbox-pg-\(ProcessInfo.processInfo.processIdentifier)"

  /// The folder of the server's programs.
  private static var programs: String? {
    let root = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted()
    return versions.last.map { "\(root)/\($0)/bin" }
  }

  private static func run(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Unavailable(reason: "this has failed: \(command)") }
  }
}
#endif
