public import Foundation

/// The user's folder for what the programs keep.
///
/// It is `$XDG_DATA_HOME/signalbox` or `~/.local/share/signalbox`.
public enum DataFolder {
  /// Returns the folder, which need not be there yet.
  public static func url(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) -> URL {
    // The XDG rules require that a relative path is ignored.
    let base = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    return (base ?? home.appending(path: ".local/share")).appending(path: "signalbox")
  }

  /// Makes the folder of a store's file, unless it is there.
  ///
  /// - Throws: An error that names the option that chooses another file.
  public static func make(for file: URL) throws(InputError) {
    let folder = file.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw InputError("the folder can't be made; choose a file with --store", file: folder.path)
    }
  }
}
