import Foundation

/// All files of a folder: their names, bytes, sizes, times of change and numbers.
struct FolderState: Equatable {
  private let files: [String: [String]]

  init(_ folder: String) throws {
    let manager = FileManager.default
    var files: [String: [String]] = [:]
    for name in try manager.contentsOfDirectory(atPath: folder) {
      let path = folder + "/" + name
      var status = stat()
      guard stat(path, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
      #if canImport(Darwin)
      let time = status.st_mtimespec
      #else
      let time = status.st_mtim
      #endif
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      files[name] = [
        bytes.base64EncodedString(), "\(status.st_size)", "\(status.st_ino)", "\(status.st_mode)",
        "\(time.tv_sec).\(time.tv_nsec)",
      ]
    }
    self.files = files
  }

  var names: [String] { files.keys.sorted() }

  /// The names of the files that differ from another state's.
  func differences(from other: FolderState) -> [String] {
    Set(names + other.names).filter { files[$0] != other.files[$0] }.sorted()
  }
}
