import Foundation

/// A folder for the files of one side, removed when nobody holds it any more.
final class TemporaryFolder: Sendable {
  let url: URL

  /// Makes the folder.
  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("signalbox-benchmarks-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// A path that no file has yet.
  func freshPath() -> String {
    url.appendingPathComponent(UUID().uuidString).path
  }
}
