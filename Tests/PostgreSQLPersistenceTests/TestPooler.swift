#if PostgreSQL
import Foundation
import Glibc
import TestSupport

/// A PgBouncer in transaction mode, on a socket in a temporary folder, with two sessions of the
/// server.
///
/// So each transaction of a client is likely to meet another session than the one before.
final class TestPooler {
  private let folder: String
  /// Its end ends the pooler, even if the tests are killed.
  private let input: Pipe
  /// A connection string of the server's database by way of the pooler.
  var connectionString: String {
    "host=\(folder) port=6432 user=postgres dbname=postgres connect_timeout=300"
  }

  /// - Parameter server: the folder of the server's socket.
  /// - Throws: an error of the system, if PgBouncer isn't installed, for example.
  init(to server: String) throws {
    folder = NSTemporaryDirectory() + "signalbox-pooler-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    chmod(folder, 0o777)
    try """
    [databases]
    postgres = host=\(server) dbname=postgres user=postgres
    [pgbouncer]
    unix_socket_dir = \(folder)
    listen_port = 6432
    auth_type = any
    pool_mode = transaction
    default_pool_size = 2
    server_round_robin = 1
    max_client_conn = 100
    """.write(toFile: folder + "/settings.ini", atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // It refuses to run as root.
    let user = getuid() == 0 ? "-u postgres" : ""
    process.arguments = [
      "-c",
      "/usr/sbin/pgbouncer -q \(user) settings.ini & read -r line; kill -KILL $!; rm -r \"$PWD\"",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    input = try startingProcess {
      let input = Pipe()
      process.standardInput = input
      try process.run()
      return input
    }
    // The socket's file is there before somebody listens.
    let socket = folder + "/.s.PGSQL.6432"
    let isThere = becomesTrueBlocking(within: .seconds(60)) {
      guard let end = try? ServerProxy.socket({ connect($0, $1, $2) })(socket) else { return false }
      close(end)
      return true
    }
    guard isThere else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { try? input.fileHandleForWriting.close() }
}
#endif
