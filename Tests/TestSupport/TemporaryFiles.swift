import Foundation

/// A path for a new file, in a folder that goes with the process.
public func temporaryPath(_ name: String = "store") -> String {
  folder.appendingPathComponent("\(name)-\(UUID().uuidString).sqlite").path
}

private let folder: URL = {
  // Some tests look into it as another user.
  try? FileManager.default.createDirectory(
    at: folderURL, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  atexit { try? FileManager.default.removeItem(at: folderURL) }
  return folderURL
}()

/// A process that was killed leaves its folder, and a later one may get its number, so the number
/// alone is no name.
private let folderURL = FileManager.default.temporaryDirectory.appendingPathComponent(
  "signalbox-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString.prefix(8))")
