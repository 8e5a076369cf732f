import Foundation
@_spi(Storage) import Signalbox

/// A storage in memory that writes each commit to a file as a line, and reads the lines when it opens.
nonisolated final class JournalStorage: Storage {
  private let memory = InMemoryStorage()
  private let file: URL

  init(_ file: URL) { self.file = file }

  func open(_ entities: [EntityDescription]) throws -> Int64 {
    var version = try memory.open(entities)
    for line in try JournalLine.read(from: file) {
      let transaction = try memory.begin()
      do {
        try transaction.apply(line.changes(among: entities, reading: transaction))
        version = transaction.version
        try transaction.commit()
      } catch {
        transaction.rollBack()
        throw error
      }
    }
    return version
  }

  func begin() throws -> any StorageTransaction {
    JournalTransaction(try memory.begin(), file)
  }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read(body)
  }

  func snapshot() throws -> (any StorageSnapshot)? { try memory.snapshot() }
}

/// A commit on its way into memory and into the file.
nonisolated final class JournalTransaction: StorageTransaction {
  private let memory: any StorageTransaction
  private let file: URL
  private var line = JournalLine()

  init(_ memory: any StorageTransaction, _ file: URL) {
    self.memory = memory
    self.file = file
  }

  func apply(_ changes: NetChanges) throws {
    try memory.apply(changes)
    line = JournalLine(changes)
  }

  func commit() throws {
    do {
      try line.append(to: file)
    } catch {
      memory.rollBack()
      let fault = StorageFault(
        .inputOutput, "The journal can't be written: \(error)", path: file.path)
      throw StoreError.storage(fault)
    }
    try memory.commit()
  }

  func rollBack() { memory.rollBack() }

  // What memory reads is what has been written.
  var version: Int64 { memory.version }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try memory.row(of: entity, id: id)
  }

  func ids(
    of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]
  ) throws -> [StoredValue] {
    try memory.ids(of: entity, where: columns, equal: values)
  }

  func fetch(_ request: FetchPlan) throws -> [FetchedRow] { try memory.fetch(request) }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    try memory.count(entity, where: filter)
  }

  func explain(_ request: FetchPlan) throws -> QueryPlan { try memory.explain(request) }
}

/// A commit as the file has it.
nonisolated struct JournalLine: Codable {
  /// The stored values of an object, or nil if it is deleted.
  struct Change: Codable {
    var entity: String
    var id: JournalValue
    var values: [JournalValue]?
  }

  private var changes: [Change] = []

  init() {}

  init(_ net: NetChanges) {
    for table in net.tables {
      for change in table.all {
        let values = change.new.map { $0.values.map(JournalValue.init) }
        changes.append(
          Change(entity: table.entity.name, id: JournalValue(change.id), values: values))
      }
    }
  }

  func changes(
    among entities: [EntityDescription], reading reader: any StorageReader
  ) throws -> NetChanges {
    NetChanges(
      try changes.map { change in
        guard let entity = entities.first(where: { $0.name == change.entity }) else {
          throw StoreError.unknownEntity(change.entity)
        }
        let id = change.id.stored
        let new = try change.values.map { try entity.row($0.map(\.stored)) }
        return ObjectChange(id: id, old: try reader.row(of: entity, id: id), new: new)
      })
  }

  /// Appends the line whole, or leaves the file as it was.
  func append(to file: URL) throws {
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    let end = try handle.seekToEnd()
    do {
      try handle.write(contentsOf: JSONEncoder().encode(self) + Data("\n".utf8))
      try handle.synchronize()
    } catch {
      try handle.truncate(atOffset: end)
      throw error
    }
  }

  /// The lines of a file; one without an end, which a crash has left, is cut off.
  static func read(from file: URL) throws -> [JournalLine] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let data = try Data(contentsOf: file)
    let whole = data.prefix(data.lastIndex(of: 10).map { $0 + 1 } ?? 0)
    if whole.count < data.count { try Data(whole).write(to: file, options: .atomic) }
    return try whole.split(separator: 10).map { line in
      try JSONDecoder().decode(JournalLine.self, from: Data(line))
    }
  }
}

/// A stored value as JSON has it.
nonisolated indirect enum JournalValue: Codable {
  case null, integer(Int64), real(Double), text(String), bytes([UInt8]), list([JournalValue])

  init(_ value: StoredValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .bytes(let bytes): .bytes(bytes)
      case .list(let parts): .list(parts.map(JournalValue.init))
      }
  }

  var stored: StoredValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .bytes(let bytes): .bytes(bytes)
    case .list(let parts): .list(parts.map(\.stored))
    }
  }
}
