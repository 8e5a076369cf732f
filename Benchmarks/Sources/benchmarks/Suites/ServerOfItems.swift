#if PostgreSQL
import EntityStore
import Foundation
import PostgreSQLPersistence

/// A schema of a server with so many items; the server is this process's own.
struct ServerOfItems {
  let count: Int
  let connectionString: String
  let schema: String

  /// Makes the schema's tables, and fills them by COPY.
  init(_ count: Int) throws {
    self.count = count
    connectionString = try RunningServer.shared.get().connectionString
    schema = "items \(UUID().uuidString)"
    _ = try store()
    try PostgreSQLItems(self).copy(Item.many(count))
  }

  func store(_ durability: ServerDurability = .normal, _ more: String = "") throws -> Store {
    try Store(
      .postgreSQL("\(connectionString) \(more)", schema: schema, durability: durability),
      entities: [Item.self])
  }

  /// The number of bytes that Signalbox's log keeps of the last commit that `body` makes.
  func payload(_ body: (Store) throws -> Void) throws -> [UInt8] {
    try body(store())
    return try PostgreSQLItems(self).lastPayload()
  }
}

/// A server that ends with this process.
private final class RunningServer: Sendable {
  static let shared = Result { try RunningServer() }

  let connectionString: String
  private let input: Pipe

  private init() throws {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/")
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "\(root)/Scripts/postgresql-server")
    server.arguments = ["shared_buffers=256MB"]
    let output = Pipe()
    input = Pipe()
    server.standardInput = input
    server.standardOutput = output
    try server.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data([10]) {
      line += byte
    }
    if line.isEmpty { throw BenchmarkError.wrong("no PostgreSQL server starts") }
    connectionString = String(decoding: line, as: UTF8.self)
  }
}
#endif
