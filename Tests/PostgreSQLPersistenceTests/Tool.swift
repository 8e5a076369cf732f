#if PostgreSQL
import Foundation

/// Another program that writes to a server: psql.
enum Tool {
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
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
#endif
