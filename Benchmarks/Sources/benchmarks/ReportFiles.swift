import Foundation

/// The files a report goes to, tried before the long run.
struct ReportFiles {
  private let jsonFile: URL?
  private let svgFolder: URL?

  /// Makes the folder for the charts and checks that both places take files.
  init(_ options: Options) throws(UsageError) {
    jsonFile = options.jsonFile.map { URL(fileURLWithPath: $0) }
    svgFolder = options.svgFolder.map { URL(fileURLWithPath: $0, isDirectory: true) }
    if let jsonFile { try Self.checkFile(jsonFile) }
    if let svgFolder { try Self.makeFolder(svgFolder) }
  }

  /// Writes the report, each file in one step.
  func write(_ report: Report) throws(UsageError) {
    if let jsonFile { try Self.write(to: jsonFile) { try report.json() } }
    guard let svgFolder else { return }
    for chart in report.charts {
      let file = svgFolder.appendingPathComponent(chart.fileName)
      try Self.write(to: file) { Data(chart.svg.utf8) }
    }
  }

  /// The results that an earlier run wrote to a JSON file.
  static func records(of path: String) throws(UsageError) -> [Report.Record] {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return try JSONDecoder().decode([Report.Record].self, from: data)
    } catch {
      throw UsageError(reason: "'\(path)' has no results of a run")
    }
  }

  private static func checkFile(_ file: URL) throws(UsageError) {
    let manager = FileManager.default
    let folder = file.deletingLastPathComponent().path
    guard isFolder(folder), manager.isWritableFile(atPath: folder), !isFolder(file.path) else {
      throw UsageError(reason: "cannot write to '\(file.relativePath)'")
    }
  }

  private static func makeFolder(_ folder: URL) throws(UsageError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw UsageError(reason: "cannot make the folder '\(folder.relativePath)'")
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw UsageError(reason: "cannot write into '\(folder.relativePath)'")
    }
  }

  private static func write(to file: URL, _ data: () throws -> Data) throws(UsageError) {
    do {
      try data().write(to: file, options: .atomic)
    } catch {
      throw UsageError(reason: "cannot write to '\(file.relativePath)'")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
