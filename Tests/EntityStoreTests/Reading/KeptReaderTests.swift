@_spi(Storage) import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `S6: a storage's reader that is used after its read traps` {
  private static let message = "A storage's reader is used after the body it was given to"

  /// Who gives a reader.
  enum Giver: String, CaseIterable, Codable, Sendable {
    case store
    case reader
    case draft
    case failedDraft
    case snapshot

    /// A reader that has been kept.
    func kept(by store: Store) throws -> (any StorageReader)? {
      switch self {
      case .store: return try store.withStorageReader { $0 }
      case .reader: return try store.read { try $0.withStorageReader { $0 } }
      case .draft:
        return try store.commit { draft in
          try draft.insert(Owner(id: 2))
          return try draft.withStorageReader { $0 }
        }
      case .failedDraft:
        var kept: (any StorageReader)?
        try? store.commit { draft in
          kept = try draft.withStorageReader { $0 }
          throw Refusal()
        }
        return kept
      case .snapshot: return try store.snapshot().withStorageReader { $0 }
      }
    }
  }

  /// What a reader is asked.
  enum Question: String, CaseIterable, Codable, Sendable {
    case version, row, ids, fetch, rows, count, countSome, rowNumber, numbered, forEach

    func ask(_ reader: any StorageReader) throws {
      let entity = Owner.schema.entity
      let plan = FetchPlan(Query<Owner>().description)
      switch self {
      case .version: _ = reader.version
      case .row: _ = try reader.row(of: entity, id: .integer(1))
      case .ids: _ = try reader.ids(of: entity, where: [1], equal: [.text("Ann")])
      case .fetch: _ = try reader.fetch(plan)
      case .rows: _ = try reader.rows(plan)
      case .count: _ = try reader.count(entity, where: nil)
      case .countSome:
        _ = try reader.count(
          entity, where: Query<Owner>().filter { $0.name != "" }.description.filter)
      case .rowNumber: _ = try reader.numbered().rowNumber(of: entity, id: .integer(1))
      case .numbered: _ = try reader.numbered().rows(of: entity, numbered: [1])
      case .forEach: try reader.numbered().forEachRowNumber(plan) { _, _ in }
      }
    }

    /// Whether every reader can answer; a draft numbers no rows.
    var isForDrafts: Bool {
      switch self {
      case .rowNumber, .numbered, .forEach: false
      default: true
      }
    }
  }

  private static func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(Owner.self)
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    return store
  }

  @Test(arguments: TestStorage.withServer, Giver.allCases)
  func `S6: from a store, a reader, a draft or a snapshot`(_ storage: TestStorage, _ giver: Giver)
    async throws
  {
    // A file has only its last version, and so has a server.
    if storage != .memory && giver == .snapshot { return }
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [storage = storage as TestStorage, giver = giver as Giver] in
      let store = try Self.makeStore(storage)
      guard let kept = try giver.kept(by: store) else { return }
      try Question.row.ask(kept)
    }
    trap.expectMessage(Self.message)
  }

  @Test(.oneThread, arguments: TestStorage.allCases, Question.allCases)
  func `S6: for every question`(_ storage: TestStorage, _ question: Question) async throws {
    for giver in [Giver.store, .draft] where giver == .store || question.isForDrafts {
      let trap = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        [storage = storage as TestStorage, giver = giver as Giver, question = question as Question]
        in
        let store = try Self.makeStore(storage)
        guard let kept = try giver.kept(by: store) else { return }
        try question.ask(kept)
      }
      trap.expectMessage(Self.message)
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `S5: inside its body it answers everything, also beside other readers`(
    _ storage: TestStorage
  ) throws {
    let store = try Self.makeStore(storage)
    try store.withStorageReader { reader in
      try store.withStorageReader { inner in
        for question in Question.allCases { try question.ask(inner) }
      }
      for question in Question.allCases { try question.ask(reader) }
    }
    try store.commit { draft in
      try draft.insert(Owner(id: 2))
      for question in Question.allCases where question.isForDrafts {
        try draft.withStorageReader { try question.ask($0) }
      }
    }
  }
}
