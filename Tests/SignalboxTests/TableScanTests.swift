import Foundation
@_spi(Storage) import Signalbox
import TestSupport
import Testing

/// The second example of `Documentation/OwnStorage.md`.
@Suite struct TableScanTests {
  struct Note: Entity, Equatable {
    let id: Int
    var text: String?
    var weight: Double
    var parent: Ref<Note>?
    var children: Many<Note, Note> { Many(\.parent) }
    static let attributes = Attributes(
      .id(\Note.id), .attribute("text", \.text), .attribute("weight", \.weight),
      .one("parent", \.parent, inverse: \.children))
    static let schema = Schema(attributes, Note.init)
  }

  struct Other: Entity {
    let id: Int
    static let attributes = Attributes(.id(\Other.id))
    static let schema = Schema(attributes, Other.init)
  }

  private func fill(_ store: Store) throws {
    try store.commit { draft in
      let texts = [nil, "", "a", "B", "b", "10", "9", "é", "e\u{301}"]
      for id in 0..<40 {
        try draft.insert(
          Note(
            id: id, text: texts[id * 7 % texts.count], weight: Double(id * 13 % 11) - 3,
            parent: id % 3 == 0 ? nil : Ref(id * 5 % 40)))
      }
    }
  }

  @Test func `The guide shows the code that is tested here`() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(
      contentsOf: root.appending(path: "Documentation/OwnStorage.md"), encoding: .utf8)
    let source = try String(
      contentsOf: root.appending(path: "Tests/SignalboxTests/TableScan.swift"), encoding: .utf8)
    #expect(guide.contains("```swift\n\(source)```\n"))
  }

  @Test func `S7: a storage that asks each row itself answers as memory does`() throws {
    let storage = ScanningStorage()
    let store = try Store(.custom { storage }, entities: [Note.self])
    let memory = try Store(.inMemory, entities: [Note.self])
    for store in [store, memory] { try fill(store) }
    let all = Query<Note>()
    let queries = [
      all, all.filter { $0.weight > 2 }, all.filter { $0.text == nil },
      all.filter { $0.text != "a" }, all.filter { !($0.text < "a") },
      all.filter { $0.parent.text == "b" }, all.filter { $0.parent.parent.weight <= 0 },
      all.filter { $0.text.in(["a", "é"]) },
      all.filter { $0.text.contains("E", ignoring: [.case, .diacritics]) },
      all.filter { $0.children.count > 1 },
      all.filter { $0.children.any { $0.parent.text == nil } },
      all.filter { ($0.id < 5) || !($0.id < 30) },
      all.sorted { [$0.parent.text.descending, $0.weight.ascending] },
      all.filter { $0.id > 3 }.sorted { [$0.text.ascending] }.limit(7, offset: 4),
      all.limit(0), all.limit(5, offset: 38), all.limit(5, offset: 100),
    ]
    for query in queries {
      #expect(try store.fetch(query) == memory.fetch(query), "\(query)")
      #expect(try store.count(query) == memory.count(query), "\(query)")
    }
    #expect(try memory.fetch(queries[4]).count > 3)
    #expect(storage.readCount > queries.count)
    // A model reads the values on its paths.
    let query = all.filter { $0.parent.weight > 0 }.sectioned { $0.parent.text }
    let models = try [store, memory].map { try FetchedObjectsModel(query, in: $0) }
    #expect(models[0].snapshot.description == models[1].snapshot.description)
    for store in [store, memory] {
      try store.commit { draft in try draft.update(Note.self, 5) { $0.text = "new" } }
    }
    #expect(models[0].snapshot.description == models[1].snapshot.description)
    #expect(models[0].snapshot.description.contains("new"))
  }

  @Test func `S6: an expression is asked of its own entity's objects`() async {
    await #expect(processExitsWith: .failure) {
      let note = Note.schema.entity
      let condition = Query<Other>().filter { $0.id > 1 }.description.filter
      _ = CompiledExpression(try #require(condition), of: note)
    }
    await #expect(processExitsWith: .failure) {
      let condition = try #require(Query<Note>().filter { $0.weight > 1 }.description.filter)
      let expression = CompiledExpression(condition, of: Note.schema.entity)
      let row = try Other.schema.entity.row([.integer(1)])
      try InMemoryStorage().read { _ = try expression.isTrue(of: row, reading: $0) }
    }
  }
}

/// A storage that finds objects by their ids and references alone.
private final class ScanningStorage: Storage {
  private let memory = InMemoryStorage()
  private let reads = StateRelay(0)

  /// How often it was read.
  var readCount: Int { reads.value }

  func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  func begin() throws -> any StorageTransaction { try memory.begin() }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read { reader in
      reads.modify { $0 += 1 }
      return try body(ScanningReader(reader))
    }
  }
}

private final class ScanningReader: StorageReader {
  private let memory: any StorageReader

  init(_ memory: any StorageReader) { self.memory = memory }

  private func all(_ entity: EntityDescription) throws -> [EntityRow] {
    try memory.rows(FetchPlan(QueryDescription(entity: entity)))
  }

  var version: Int64 { memory.version }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try memory.row(of: entity, id: id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  { try memory.ids(of: entity, where: columns, equal: values) }

  func fetch(_ request: FetchPlan) throws -> [FetchedRow] {
    try request.answer(from: all(request.entity), reading: self)
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    let condition = filter.map { CompiledExpression($0, of: entity) }
    return try all(entity).count { try condition?.isTrue(of: $0, reading: self) ?? true }
  }

  func explain(_ request: FetchPlan) throws -> QueryPlan { try memory.explain(request) }
}
