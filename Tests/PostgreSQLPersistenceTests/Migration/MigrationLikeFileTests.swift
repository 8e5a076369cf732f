#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import Locking
@_spi(Storage) import PostgreSQLPersistence
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

/// What an attempt to open a store gave: its objects, or the kind of the fault.
private enum Outcome: Equatable {
  case opened([String])
  case refused(StorageFault)

  /// Returns true if both were opened and have the same objects, or were refused for the same kind
  /// of reason.
  static func == (a: Outcome, b: Outcome) -> Bool {
    switch (a, b) {
    case (.opened(let a), .opened(let b)): a == b
    case (.refused(let a), .refused(let b)): a.kind == b.kind
    default: false
    }
  }

  /// Returns true if opening was refused with a sentence that has these words.
  func isRefused(for words: String) -> Bool {
    guard case .refused(let fault) = self else { return false }
    return fault.message.contains(words)
  }
}

private func outcome(_ body: () throws -> [String]) throws -> Outcome {
  do { return .opened(try body()) } catch StoreError.storage(let fault) {
    return .refused(fault)
  }
}

/// Two stores that go through the same: one in a file, and one in a server.
private struct Pair {
  let path = temporaryPath()
  let place: (connectionString: String, schema: String)

  init() throws { place = try TestServer.place() }

  func storages(_ migrations: [Migration] = []) throws -> [StorageKind] {
    [
      .sqlite(path: path, durability: .normal, migrations: migrations),
      .postgreSQL(
        place.connectionString, schema: place.schema, durability: .normal, waiting: patience,
        migrations: migrations),
    ]
  }
}

@Suite(.serialized) struct MigrationLikeFileTests {
  @Test(.oneThread)
  func `P4: random schemas in a row change a server's tables as they change a file`() throws {
    Changing.lock.lock()
    defer { Changing.lock.unlock() }
    var generator = SeededGenerator(number: 40)
    var counts: [String: Int] = [:]
    for round in 0..<rounds(50) {
      let pair = try Pair()
      for turn in 0..<4 {
        let schema = ChangingSchema(using: &generator)
        let made = schema.schema
        Changing.current.withLock { $0 = made }
        let new = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          Changing.random(using: &generator)
        }
        var outcomes: [Outcome] = []
        for kind in try pair.storages() {
          outcomes.append(
            try outcome {
              let store = try Store(kind, entities: [Changing.self])
              let found = try store.fetch(Query<Changing>().sorted { [$0.id.ascending] })
              for object in new {
                // It may break a rule.
                _ = try? store.commit { try $0.upsert(object) }
              }
              let after = try store.fetch(Query<Changing>().sorted { [$0.id.ascending] })
              return (found + after).map { "\($0)" }
            })
        }
        #expect(outcomes[0] == outcomes[1], "round \(round), turn \(turn): \(schema)")
        switch outcomes[0] {
        case .opened: counts["opened", default: 0] += 1
        case .refused(let fault): counts["\(fault.kind)", default: 0] += 1
        }
      }
    }
    #expect(counts["opened", default: 0] > 0 && counts["schemaMismatch", default: 0] > 0)
  }

  private struct Step: CustomStringConvertible {
    let description: String
    let body: @Sendable (Migration.Context) throws -> Void
  }

  private struct Plain: Entity {
    let id: Int
    var text: String?
    var number: Int?
    var link: Ref<Plain>?
    static let attributes = Attributes(
      .id(\Plain.id), .attribute("text", \.text), .attribute("number", \.number),
      .one("link", \.link))
    static let schema = Schema(
      attributes, Plain.init,
      rules: [.dropped("more"), .dropped("other"), .dropped("renamed")])
  }

  private struct Other: Entity {
    let id: Int
    var text: String
    static let attributes = Attributes(.id(\Other.id), .attribute("text", \.text))
    static let schema = Schema(attributes, Other.init)
  }

  private static func step(using generator: inout SeededGenerator) -> Step {
    let entity = ["Plain", "Other", "Third"].randomElement(using: &generator) ?? ""
    let column = ["text", "more", "other"].randomElement(using: &generator) ?? ""
    let number = Int.random(in: 0..<6, using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0, 1:
      return Step(description: "rewrite \(entity), \(column) \(number)") { context in
        try context.rewrite(entity) { row in
          var new = row
          guard case .integer(let id) = row["id"], Int(id) % 5 != number else { return nil }
          if context.isKnown(column, of: entity) || number < 3 {
            new[column] = .text("\(column) \(id)")
          }
          if number == 4 { new["id"] = .integer(id + 100) }
          return new
        }
      }
    case 2:
      return Step(description: "insert \(number) into \(entity)") { context in
        try context.insert(
          ["id": .integer(Int64(1000 + number)), "text": .text("new")], into: entity)
      }
    case 3:
      return Step(description: "delete from \(entity) \(number)") { context in
        try context.delete(from: entity) { row in
          if case .integer(let id) = row["id"] { Int(id) % 3 == number % 3 } else { false }
        }
      }
    case 4:
      return Step(description: "rename \(column) of \(entity)") { context in
        try context.rename(column, to: "renamed", in: entity)
      }
    case 5:
      return Step(description: "rename back in \(entity)") { context in
        try context.rename("renamed", to: column, in: entity)
      }
    case 6 where number < 2:
      return Step(description: "drop \(entity)") { try $0.dropEntity(entity) }
    case 6:
      return Step(description: "rename \(entity) to Third") { context in
        try context.renameEntity(entity, to: "Third")
      }
    case 7:
      return Step(description: "rename Third to Other") { context in
        try context.renameEntity("Third", to: "Other")
      }
    default:
      return Step(description: "type of \(entity).\(column)") { context in
        try context.rewrite(entity) { row in
          var new = row
          new["other"] = row["id"]
          return new
        }
      }
    }
  }

  /// What a migration sees of all entities.
  private static func look(_ context: Migration.Context) throws -> [String] {
    try context.entities.flatMap { entity -> [String] in
      let names = try context.attributes(of: entity).sorted()
      let rows = try context.rows(of: entity).map { row in
        names.map { "\($0): \(row[$0])" }.joined(separator: ", ")
      }
      return ["\(entity) \(names)"] + rows.sorted()
    }
  }

  @Test(.oneThread)
  func `P4: random steps of migrations change a server's tables as they change a file`()
    throws
  {
    var generator = SeededGenerator(number: 90)
    var counts = [0, 0]
    for round in 0..<rounds(100) {
      let pair = try Pair()
      for kind in try pair.storages() {
        let store = try Store(kind, entities: [Plain.self, Other.self])
        try store.commit { draft in
          for id in 0..<8 {
            try draft.insert(
              Plain(
                id: id, text: id % 3 == 0 ? nil : "t\(id)", number: id % 2 == 0 ? nil : id,
                link: id > 0 ? Ref(id / 2) : nil))
          }
          for id in 0..<4 { try draft.insert(Other(id: id, text: "o\(id)")) }
        }
      }
      let steps = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        Self.step(using: &generator)
      }
      var outcomes: [Outcome] = []
      for index in 0..<2 {
        let seen = Log<String>()
        let migration = Migration("steps") { context in
          for step in steps {
            try step.body(context)
            seen.note(step.description)
            for line in try Self.look(context) { seen.note(line) }
          }
        }
        outcomes.append(
          try outcome {
            let store = try Store(
              try pair.storages([migration])[index], entities: [Plain.self, Other.self])
            let next = try store.commit { draft -> Int in
              let next = try draft.nextID(Other.self)
              try draft.upsert(Other(id: 77, text: "after"))
              try draft.upsert(Plain(id: 78, text: nil, number: 1, link: nil))
              return next
            }
            return seen.entries
              + (try store.fetch(Query<Plain>().sorted { [$0.id.ascending] })).map { "\($0)" }
              + (try store.fetch(Query<Other>().sorted { [$0.id.ascending] })).map { "\($0)" }
              + ["next \(next)"]
          })
      }
      let what = Comment(rawValue: "round \(round): \(steps)")
      // A server also refuses a table that a migration has only renamed, for nobody.
      let isRenamedForNobody =
        outcomes[1].isRefused(for: "renamed Third, which the store")
        && steps.contains { $0.description.hasSuffix("to Third") }
      #expect(outcomes[0] == outcomes[1] || isRenamedForNobody, what)
      if case .opened = outcomes[0] { counts[0] += 1 } else { counts[1] += 1 }
    }
    #expect(counts[0] > 0 && counts[1] > 0, "\(counts)")
  }
}

extension Migration.Context {
  fileprivate func isKnown(_ column: String, of entity: String) -> Bool {
    (try? attributes(of: entity).contains(column)) ?? false
  }
}

extension Changing {
  fileprivate static func random(using generator: inout SeededGenerator) -> Changing {
    let texts = ["x", "7", "\u{1F697}", ""]
    let number = Int.random(in: 0...9, using: &generator)
    return Changing(
      id: Int.random(in: 0...3, using: &generator),
      text: texts.randomElement(using: &generator) ?? "",
      note: generator.chance(0.3) ? nil : texts.randomElement(using: &generator),
      whole: number, number: generator.chance(0.3) ? nil : number + 1)
  }
}
#endif
