@_spi(Storage) import EntityStore
import Locking
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

/// An entity whose schema is another one each time: up to four attributes of different kinds.
private struct Changing: Entity {
  let id: Int
  var text = ""
  var note: String? = nil
  var whole = 0
  var number: Int? = nil

  static let current = Locked(plain)
  static var schema: Schema<Changing> { current.withLock { $0 } }
  private static let plain = Schema(Attributes(.id(\Changing.id)), { Changing(id: $0) })
}

/// What a schema says of an attribute, and how a file has it.
private struct Trait {
  /// 0 for text, 1 for text or nil, 2 for a number, 3 for a number or nil.
  let kind: Int
  let name: String
  let former: String
  let hasDefault: Bool
  let isUnique: Bool
  let isIndexed: Bool

  var isOptional: Bool { kind % 2 == 1 }
  var isText: Bool { kind < 2 }
  /// What a row has that has no value, as SQL writes it.
  var fill: String? { isOptional ? "NULL" : hasDefault ? (isText ? "'d''f'" : "7") : nil }
}

private struct ChangingSchema {
  static let names = ["a", "B", "say \"x\" 🚗", "order"]
  var traits: [Trait]
  var dropped: [String]

  init(using generator: inout SeededGenerator) {
    let names = Self.names.shuffled(using: &generator)
    let kinds = (0..<4).shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
    var formers = Self.names.shuffled(using: &generator)
    traits = zip(kinds, names).map { kind, name in
      var former = "never \(kind)"
      if generator.chance(0.4), let last = formers.last(where: { $0 != name }) {
        former = last
        formers.removeAll { $0 == last }
      }
      return Trait(
        kind: kind, name: name, former: former, hasDefault: generator.chance(0.7),
        isUnique: generator.chance(0.2), isIndexed: generator.chance(0.3))
    }.sorted { $0.kind < $1.kind }
    let used = traits.map(\.name)
    dropped = Self.names.filter { [generator.chance(0.6)] == [true] && !used.contains($0) }
  }

  private var rules: [Rule<Changing>] {
    var rules = dropped.map { Rule<Changing>.dropped($0) }
    for trait in traits {
      for isUnique in [true, false] where isUnique ? trait.isUnique : trait.isIndexed {
        switch trait.kind {
        case 0: rules.append(isUnique ? .unique(\.text) : .index(\.text))
        case 1: rules.append(isUnique ? .unique(\.note) : .index(\.note))
        case 2: rules.append(isUnique ? .unique(\.whole) : .index(\.whole))
        default: rules.append(isUnique ? .unique(\.number) : .index(\.number))
        }
      }
    }
    return rules
  }

  /// The schema, for a pack of each length.
  var schema: Schema<Changing> {
    func text(_ trait: Trait) -> Attribute<Changing, String> {
      .attribute(
        trait.name, \.text, default: trait.hasDefault ? "d'f" : nil, renamedFrom: trait.former)
    }
    func note(_ trait: Trait) -> Attribute<Changing, String?> {
      .attribute(trait.name, \.note, renamedFrom: trait.former)
    }
    func whole(_ trait: Trait) -> Attribute<Changing, Int> {
      .attribute(
        trait.name, \.whole, default: trait.hasDefault ? 7 : nil, renamedFrom: trait.former)
    }
    func number(_ trait: Trait) -> Attribute<Changing, Int?> {
      .attribute(trait.name, \.number, renamedFrom: trait.former)
    }
    let id = Attribute<Changing, Int>.id(\.id)
    let t = traits
    switch t.map(\.kind) {
    case [0]:
      return Schema(Attributes(id, text(t[0])), { Changing(id: $0, text: $1) }, rules: rules)
    case [1]:
      return Schema(Attributes(id, note(t[0])), { Changing(id: $0, note: $1) }, rules: rules)
    case [2]:
      return Schema(Attributes(id, whole(t[0])), { Changing(id: $0, whole: $1) }, rules: rules)
    case [3]:
      return Schema(Attributes(id, number(t[0])), { Changing(id: $0, number: $1) }, rules: rules)
    case [0, 1]:
      return Schema(
        Attributes(id, text(t[0]), note(t[1])), { Changing(id: $0, text: $1, note: $2) },
        rules: rules)
    case [0, 2]:
      return Schema(
        Attributes(id, text(t[0]), whole(t[1])), { Changing(id: $0, text: $1, whole: $2) },
        rules: rules)
    case [0, 3]:
      return Schema(
        Attributes(id, text(t[0]), number(t[1])), { Changing(id: $0, text: $1, number: $2) },
        rules: rules)
    case [1, 2]:
      return Schema(
        Attributes(id, note(t[0]), whole(t[1])), { Changing(id: $0, note: $1, whole: $2) },
        rules: rules)
    case [1, 3]:
      return Schema(
        Attributes(id, note(t[0]), number(t[1])), { Changing(id: $0, note: $1, number: $2) },
        rules: rules)
    case [2, 3]:
      return Schema(
        Attributes(id, whole(t[0]), number(t[1])), { Changing(id: $0, whole: $1, number: $2) },
        rules: rules)
    case [0, 1, 2]:
      return Schema(
        Attributes(id, text(t[0]), note(t[1]), whole(t[2])),
        { Changing(id: $0, text: $1, note: $2, whole: $3) }, rules: rules)
    case [0, 1, 3]:
      return Schema(
        Attributes(id, text(t[0]), note(t[1]), number(t[2])),
        { Changing(id: $0, text: $1, note: $2, number: $3) }, rules: rules)
    case [0, 2, 3]:
      return Schema(
        Attributes(id, text(t[0]), whole(t[1]), number(t[2])),
        { Changing(id: $0, text: $1, whole: $2, number: $3) }, rules: rules)
    case [1, 2, 3]:
      return Schema(
        Attributes(id, note(t[0]), whole(t[1]), number(t[2])),
        { Changing(id: $0, note: $1, whole: $2, number: $3) }, rules: rules)
    default: return Schema(Attributes(id), { Changing(id: $0) }, rules: rules)
    }
  }

  func open(_ path: String) throws {
    let schema = schema
    Changing.current.withLock { $0 = schema }
    _ = try SQLiteStorage(path: path, durability: .normal).open([schema.entity])
  }
}

/// Rows by id, their values by name, as SQL writes them.
private typealias Rows = [String: [String: String]]

/// What the rows of one schema are under another one, or nil if that is refused.
private func expected(_ rows: Rows, _ old: ChangingSchema, _ new: ChangingSchema) -> Rows? {
  // Which old name each new one takes its values from: its own, or else one that it had before.
  var names = old.traits.map(\.name)
  var sources: [String: String] = [:]
  for name in names { sources[name] = name }
  var given: [String] = []
  while let trait = new.traits.first(where: {
    !names.contains($0.name) && names.contains($0.former) && !given.contains($0.name)
      && !given.contains($0.former)
  }) {
    sources[trait.name] = sources.removeValue(forKey: trait.former)
    names = names.filter { $0 != trait.former } + [trait.name]
    given.append(trait.name)
  }
  // Those that are each what another one was called exchange their names, unless the file knows.
  func former(_ name: String) -> String? {
    guard let trait = new.traits.first(where: { $0.name == name }), names.contains(name),
      names.contains(trait.former), !given.contains(name), !given.contains(trait.former),
      new.traits.contains(where: { $0.name == trait.former })
    else { return nil }
    return trait.former
  }
  let before = sources
  for name in new.traits.map(\.name) {
    var circle = [name]
    while let next = former(circle[circle.count - 1]), next != name, circle.count < 5 {
      circle.append(next)
    }
    guard circle.count < 5, former(circle[circle.count - 1]) == name else { continue }
    let isKnown = circle.allSatisfy { name in
      old.traits.contains { $0.name == name && $0.former == former(name) }
    }
    if !isKnown, let source = former(name) { sources[name] = before[source] }
  }
  if rows.isEmpty { return [:] }
  for name in names where !new.traits.contains(where: { $0.name == name }) {
    if !new.dropped.contains(name) { return nil }
  }
  var result = rows.mapValues { _ in [String: String]() }
  for trait in new.traits {
    let source = sources[trait.name]
    if let source, let found = old.traits.first(where: { $0.name == source }),
      found.isText != trait.isText
    {
      return nil
    }
    for (id, row) in rows {
      var value = source.flatMap { row[$0] } ?? trait.fill
      if value == "NULL" { value = trait.fill }
      guard let value else { return nil }
      result[id]?[trait.name] = value
    }
    let values = result.values.compactMap { $0[trait.name] }.filter { $0 != "NULL" }
    if trait.isUnique, Set(values).count < values.count { return nil }
  }
  return result
}

private func rows(_ path: String, _ schema: ChangingSchema) throws -> Rows {
  let list = schema.traits.map { ", quote(\(sqlName($0.name)))" }.joined()
  var rows: Rows = [:]
  for row in try RawDatabase(path).rows("SELECT id\(list) FROM Changing") {
    rows[row[0] ?? ""] = Dictionary(
      uniqueKeysWithValues: zip(schema.traits.map(\.name), row.dropFirst().map { $0 ?? "" }))
  }
  return rows
}

@Suite(.oneThread, .serialized) struct `A migration between two random schemas` {
  @Test(arguments: 0..<6)
  func `P4: gives the rows that a naive one gives, or leaves the file as it was`(_ seed: Int) throws
  {
    var generator = SeededGenerator(seed: seed)
    var counts = [0, 0]
    tried(rounds(60), "migrations between random schemas")
    for round in 0..<rounds(60) {
      let path = temporaryPath()
      let (old, new) = (ChangingSchema(using: &generator), ChangingSchema(using: &generator))
      try old.open(path)
      let file = try RawDatabase(path)
      for id in 0..<Int.random(in: 0...3, using: &generator) {
        let values = old.traits.map { trait -> String in
          if trait.isOptional, generator.chance(0.3) { return "NULL" }
          let some = Int.random(in: 0...9, using: &generator)
          return trait.isText
            ? ["'x'", "'7'", "'\u{1F697}'", "''"].randomElement(using: &generator) ?? "" : "\(some)"
        }
        let names = (["id"] + old.traits.map(\.name)).map(sqlName).joined(separator: ", ")
        try file.rows(
          "INSERT OR IGNORE INTO Changing (\(names)) VALUES (\(([String(id)] + values).joined(separator: ", ")))"
        )
      }
      let before = try fileContents(path)
      let wanted = expected(try rows(path, old), old, new)
      let what = Comment(rawValue: "seed \(seed), round \(round): \(old) to \(new)")
      counts[wanted == nil ? 0 : 1] += 1
      do {
        try new.open(path)
        #expect(try rows(path, new) == wanted, what)
        let other = temporaryPath()
        try new.open(other)
        // What can be said of the columns is what a new file says of them.
        let shape =
          "SELECT name, type, \"notnull\", pk FROM pragma_table_info('Changing') ORDER BY name"
        #expect(try file.rows(shape) == RawDatabase(other).rows(shape), what)
        let keys =
          """
          SELECT l."unique", group_concat(i.name) FROM pragma_index_list('Changing') AS l,
          pragma_index_info(l.name) AS i GROUP BY l.name ORDER BY 1, 2
          """
        #expect(try file.rows(keys) == RawDatabase(other).rows(keys), what)
        #expect(try file.value("PRAGMA integrity_check") == "ok", what)
        // There is nothing left to do.
        let after = try fileContents(path)
        try new.open(path)
        #expect(try fileContents(path) == after, what)
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .schemaMismatch, what)
        #expect(wanted == nil, "\(fault): \(what)")
        #expect(try fileContents(path) == before, what)
      }
      #expect(!hasCopy(path))
    }
    #expect(counts[0] >= rounds(6) && counts[1] >= rounds(6), "\(counts)")
  }
}
