#if PostgreSQL
import EntityStore
import FetchedObjects
import Foundation
import PostgreSQLPersistence
import Relays

/// Processes that commit to one schema at a time, each with ten models that follow all of them.
final class CommittingProcesses {
  private static let variable = "SIGNALBOX_COMMITTER"
  private static let seconds = 2.0

  private struct Child {
    let process = Process()
    let input = Pipe()
    let output = Pipe()

    func line() throws -> String {
      var line = Data()
      while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data([10]) {
        line += byte
      }
      return String(decoding: line, as: UTF8.self)
    }
  }

  private let children: [Child]

  /// Starts processes of this program.
  ///
  /// - Throws: an error of the system, or ``BenchmarkError`` if one doesn't open its store.
  init(_ count: Int) throws {
    let server = try ServerOfItems(10_000)
    children = try (0..<count).map { number in
      let child = Child()
      child.process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
        .resolvingSymlinksInPath()
      child.process.environment = ProcessInfo.processInfo.environment.merging([
        Self.variable: "\(number)\n\(server.connectionString)\n\(server.schema)"
      ]) { $1 }
      child.process.standardInput = child.input
      child.process.standardOutput = child.output
      try child.process.run()
      guard try child.line() == "ready" else { throw BenchmarkError.wrong("a process has ended") }
      return child
    }
  }

  deinit {
    for child in children {
      child.process.terminate()
      child.process.waitUntilExit()
    }
  }

  /// The time between two commits, of whichever processes, in microseconds.
  func timeOfCommit() throws -> Double {
    for child in children { try child.input.fileHandleForWriting.write(contentsOf: Data([10])) }
    let counts = try children.map { Double(try $0.line()) ?? 0 }
    guard counts.allSatisfy({ $0 > 0 }) else {
      throw BenchmarkError.wrong("a process committed nothing")
    }
    return Self.seconds * 1e6 / counts.reduce(0, +)
  }

  // MARK: The process

  /// Commits whenever a line comes, if this process was started for it.
  static func runIfAsked() {
    guard let place = ProcessInfo.processInfo.environment[variable] else { return }
    let parts = place.split(separator: "\n").map(String.init)
    do { try run(Int(parts[0]) ?? 0, parts[1], parts[2]) } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
    exit(0)
  }

  private static func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func run(_ number: Int, _ server: String, _ schema: String) throws {
    let store = try Store(
      .postgreSQL(server, schema: schema, waiting: .seconds(60)), entities: [Item.self])
    let models = try (0..<10).map { part in
      try FetchedObjectsModel(
        Query<Item>().filter { $0.id >= part * 1000 && $0.id < part * 1000 + 1000 }
          .sorted { [$0.number.descending, $0.id.ascending] }, in: store)
    }
    let tokens = models.map { $0.didChange.subscribe { blackHole($0.changes) } }
    write("ready")
    var turn = number * 1237
    while readLine() != nil {
      let clock = ContinuousClock()
      let end = clock.now + .seconds(seconds)
      var count = 0
      while clock.now < end {
        try store.commit { try $0.update(Item.self, turn % 10_000) { $0.number &+= 1 } }
        turn &+= 7919
        count += 1
      }
      write("\(count)")
    }
    withExtendedLifetime(tokens) {}
  }
}
#endif
