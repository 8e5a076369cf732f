@_spi(Storage) @testable import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

@Suite struct `A store is exported as JSON Lines and imported again` {
  @Test(arguments: TestStorage.allCases)
  func `S8: what is exported, imported and exported again is the same bytes`(_ storage: TestStorage)
    throws
  {
    try withEvery("seed", in: 0..<4) { seed in
      let store = try Store(storage.backing, entities: Harbour.entities)
      try Harbour.fill(store, seed: seed, count: [1, 3, 90, 300][seed])
      let exported = try store.exported()
      for other in TestStorage.allCases {
        let copy = try Store(other.backing, entities: Harbour.entities.reversed())
        let result = try copy.importing(exported, inPieces: [1, 7, 100_000][seed % 3])
        expectEqual(try copy.version, 1)
        expectTrue(try copy.exported() == exported)
        expectEqual(result.skipped + result.replaced, 0)
        expectTrue(try copy.storedRows() == store.storedRows())
      }
    }
  }

  @Test(arguments: TestStorage.allCases, [1, 2, 7, 1000])
  func `objects that refer to later ones come in batches, too`(_ storage: TestStorage, _ size: Int)
    throws
  {
    let store = try Store(.inMemory, entities: Harbour.entities)
    try Harbour.fill(store, seed: 5, count: 120)
    let exported = try store.exported()
    let copy = try Store(storage.backing, entities: Harbour.entities)
    var told: [JSONLines.Progress] = []
    let result = try copy.importing(exported, objectsPerCommit: size) { told.append($0) }
    #expect(try copy.exported() == exported)
    let version = try copy.version
    if size == 1000 {
      #expect(version == 1)
    } else {
      #expect(version > Int64(100 / size))
    }
    #expect(told.last?.completed == result.inserted)
  }

  @Test func `equal stores give equal bytes, however they were filled`() throws {
    let store = try Store(.inMemory, entities: Harbour.entities)
    try store.commit { draft in
      for id in [3, 1, 2] { try draft.insert(Owner(id: id)) }
    }
    let other = try Store(.inMemory, entities: Harbour.entities.reversed())
    for id in [2, 9, 1, 3] { try other.commit { try $0.insert(Owner(id: id)) } }
    try other.commit { try $0.delete(Owner.self, 9) }
    #expect(try store.exported() == other.exported())
  }

  @Test func `the form is what the guide says`() throws {
    let store = try Store(.inMemory, entities: [Owner.self, Berth.self, Item.self, Keeper.self])
    let id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    try store.commit { draft in
      try draft.insert(Keeper(id: id, name: "\"\0é\u{1F600}/"))
      try draft.insert(
        Berth(
          id: .init(pier: "a", number: .max), depth: -.infinity,
          guest: Ref(Berth.ID(pier: "b", number: .min)), host: Ref(id), wide: .max))
    }
    let lines = String(decoding: try store.exported(), as: UTF8.self).split(separator: "\n")
    #expect(
      lines == [
        #"{"format":"signalbox-objects","version":1,"entities":[{"name":"A \"berth\"\n\\🚤","count":1},{"name":"Item","count":0},{"name":"Owner","count":0},{"name":"Zookeeper","count":1}]}"#,
        #"{"entity":"A \"berth\"\n\\🚤","values":{"id":{"pi\"er":"a","number":9223372036854775807},"no\nte":null,"depth":"-Infinity","item":null,"next":null,"guest":{"pi\"er":"b","number":-9223372036854775808},"host":"AAECAwQFBgcICQoLDA0ODw==","wide":"//////////8="}}"#,
        #"{"entity":"Zookeeper","values":{"id":"AAECAwQFBgcICQoLDA0ODw==","name":"\"\u0000é😀/","deputy":null}}"#,
      ])
    // Every line is JSON to Foundation's reader, too.
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }

  @Test(arguments: TestStorage.allCases)
  func `S5: an export is of one version, and commits continue meanwhile`(_ storage: TestStorage)
    throws
  {
    let store = try Store(storage.backing, entities: Harbour.entities)
    try Harbour.fill(store, seed: 6, count: 1500)
    let before = try store.exported()
    var commits = 0
    let during = try store.exported { _ in
      try store.commit { draft in
        try draft.insert(Owner(id: 10_000 + commits))
        try draft.update(Item.self, 1499 - commits) { $0.name = "new" }
      }
      commits += 1
    }
    #expect(commits > 4)
    #expect(during == before)
    #expect(try store.exported() != before)
  }

  @Test(arguments: TestStorage.allCases)
  func `progress counts up to the total, and ends what it throws in`(_ storage: TestStorage) throws
  {
    struct Stop: Error {}
    let store = try Store(storage.backing, entities: Harbour.entities)
    try Harbour.fill(store, seed: 7, count: 700)
    var told: [JSONLines.Progress] = []
    let exported = try store.exported { told.append($0) }
    let total = try store.count(Query<Berth>()) + 2100
    #expect(told.map(\.completed) == [0, 1000, 2000, total])
    #expect(Set(told.map(\.total)) == [total])
    #expect(throws: Stop.self) { try store.exported { if $0.completed > 0 { throw Stop() } } }
    let copy = try Store(storage.backing, entities: Harbour.entities)
    told = []
    #expect(try copy.importing(exported) { told.append($0) }.inserted == total)
    #expect(told.map(\.completed) == [0, 1000, 2000, total])
    #expect(Set(told.map(\.total)) == [total])
    let third = try Store(storage.backing, entities: Harbour.entities)
    #expect(throws: Stop.self) {
      try third.importing(exported) { if $0.completed == 2000 { throw Stop() } }
    }
    #expect(try third.version == 0)
  }

  @Test func `the fraction that has been read is 1 at the end only, and never more`() throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<2000).map { Owner(id: $0) })
    }
    let exported = try store.exported()
    let copy = try Store(.inMemory, entities: [Owner.self])
    var told: [Double?] = []
    _ = try copy.importing(exported) { progress in
      told.append(progress.fraction)
      let count = try copy.count(Query<Owner>())
      #expect(count == (progress.fraction == 1 ? 2000 : 0))
    }
    #expect(told == [0, 0.5, 1])
    let text = String(decoding: exported, as: UTF8.self)
    let wrong = text.replacing("2000", with: "500", maxReplacements: 1)
    #expect(wrong != text)
    told = []
    #expect(throws: (any Error).self) {
      try copy.importing(Data(wrong.utf8)) { told.append($0.fraction) }
    }
    #expect(told == [0, 1, 1])
  }

  @Test func `a URL that names no file is an error, and nothing is made`() throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    let folder = try newFolder()
    let url = folder.appendingPathComponent("a\0b")
    for isReplacing in [false, true] {
      let error = #expect(throws: StoreError.self) {
        try store.exportJSONLines(to: url, replacingFile: isReplacing)
      }
      #expect("\(error as Any)".contains(#"a\0b" has a NUL in it"#))
      #expect(throws: StoreError.self) { try store.importJSONLines(from: url) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(arguments: TestStorage.allCases)
  func `they go through a file, and a sequence of pieces`(_ storage: TestStorage) async throws {
    let store = try Store(storage.backing, entities: Harbour.entities)
    try Harbour.fill(store, seed: 8, count: 60)
    let exported = try store.exported()
    let folder = try newFolder()
    // A name of 255 bytes is the longest one that most systems allow.
    let url = folder.appendingPathComponent(String(repeating: "n", count: 255))
    try store.exportJSONLines(to: url)
    #expect(try Data(contentsOf: url) == exported)
    let error = #expect(throws: StoreError.self) { try store.exportJSONLines(to: url) }
    #expect("\(error as Any)".contains("choose another path, or pass replacingFile: true"))
    try store.commit { try $0.insert(Owner(id: 777)) }
    try store.exportJSONLines(to: url, replacingFile: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == [url.lastPathComponent])
    let copy = try Store(storage.backing, entities: Harbour.entities)
    try copy.importJSONLines(from: url)
    #expect(try copy.exported() == store.exported())
    for size in [nil, 10] {
      let other = try Store(storage.backing, entities: Harbour.entities)
      let pieces = AsyncStream<Data> { continuation in
        for start in stride(from: 0, to: exported.count, by: 333) {
          continuation.yield(exported[start..<min(start + 333, exported.count)])
        }
        continuation.finish()
      }
      try await other.importJSONLines(from: pieces, objectsPerCommit: size)
      #expect(try other.exported() == exported)
    }
  }

  @Test func `a failed or cancelled export leaves no file behind`() async throws {
    struct Stop: Error {}
    let store = try Store(.inMemory, entities: Harbour.entities)
    try Harbour.fill(store, seed: 9, count: 10)
    let folder = try newFolder()
    let url = folder.appendingPathComponent("none.jsonl")
    #expect(throws: Stop.self) { try store.exportJSONLines(to: url) { _ in throw Stop() } }
    let task = Task {
      try store.exportJSONLines(to: url) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}

/// Returns an empty folder, in which only one test makes files.
private func newFolder() throws -> URL {
  let folder = URL(fileURLWithPath: temporaryPath("lines"))
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

extension Store {
  /// The stored forms of everything.
  fileprivate func storedRows() throws -> [[StoredValue]] {
    try withStorageReader { reader in
      try entities.sorted { $0.name < $1.name }.flatMap {
        try reader.rows(FetchPlan(QueryDescription(entity: $0))).map(\.values)
      }
    }
  }
}
