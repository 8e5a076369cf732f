@_spi(Storage) import EntityStore
import Fixtures
import Foundation
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

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
  for name in names where !new.traits.contains(where: { $0.name == name }) {
    if !new.dropped.contains(name) { return nil }
  }
  if rows.isEmpty { return [:] }
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

extension ChangingSchema {
  /// Returns true if a table of one schema is one of the other, apart from indexes.
  fileprivate func isOfSameTable(as other: ChangingSchema) -> Bool {
    func columns(_ traits: [Fixtures.Trait]) -> Set<String> {
      Set(traits.map { "\($0.kind) \($0.isUnique) \($0.name)" })
    }
    return columns(traits) == columns(other.traits)
  }
}

private func open(_ schema: ChangingSchema, _ path: String) throws {
  _ = try schema.open(SQLiteStorage(path: path, durability: .normal))
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
    Changing.lock.lock()
    defer { Changing.lock.unlock() }
    var generator = SeededGenerator(seed: seed)
    var counts = [0, 0]
    tried(rounds(60), "migrations between random schemas")
    for round in 0..<rounds(60) {
      let path = temporaryPath()
      let (old, new) = (ChangingSchema(using: &generator), ChangingSchema(using: &generator))
      try open(old, path)
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
      let keys =
        """
        SELECT l."unique", group_concat(i.name) FROM pragma_index_list('Changing') AS l,
        pragma_index_info(l.name) AS i GROUP BY l.name ORDER BY 1, 2
        """
      let oldKeys = try file.rows(keys)
      let wanted = expected(try rows(path, old), old, new)
      let what = Comment(rawValue: "seed \(seed), round \(round): \(old) to \(new)")
      counts[wanted == nil ? 0 : 1] += 1
      do {
        try open(new, path)
        #expect(try rows(path, new) == wanted, what)
        let other = temporaryPath()
        try open(new, other)
        // What can be said of the columns is what a new file says of them.
        let shape =
          "SELECT name, type, \"notnull\", pk FROM pragma_table_info('Changing') ORDER BY name"
        #expect(try file.rows(shape) == RawDatabase(other).rows(shape), what)
        let (found, made) = (try file.rows(keys), try RawDatabase(other).rows(keys))
        // An index of another schema of the same table may stay.
        let extra = old.isOfSameTable(as: new) ? found.filter { !made.contains($0) } : []
        #expect(found.filter { !extra.contains($0) } == made, what)
        #expect(extra.allSatisfy { oldKeys.contains($0) }, what)
        #expect(try file.value("PRAGMA integrity_check") == "ok", what)
        // There is nothing left to do.
        let after = try fileContents(path)
        try open(new, path)
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
