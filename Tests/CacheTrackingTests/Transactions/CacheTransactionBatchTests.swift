import CacheTracking
import Foundation
import ListDiffing
import ListFixtures
import TestSupport
import Testing

@Suite struct `Cache transaction batches` {
  private struct NotEquatable: Sendable {
    let name: String
  }

  @Test func `D1 Adding a change twice adds it once, whatever the object and the order`() {
    let changes: [RowChange] = [
      .insert(at: path(1)), .insert(at: path(0)), .delete(from: path(1)), .delete(from: path(0)),
      .update(from: path(2), to: path(2)), .move(from: path(3), to: path(4)),
      .move(from: path(4), to: path(3)),
    ]
    withEvery("added", in: sequences(of: changes, upTo: 4)) { added in
      var batch = CacheTransactionBatch<NotEquatable>()
      for (number, change) in added.enumerated() {
        batch.add(
          CacheTransaction(
            object: NotEquatable(name: "\(number)"), objectType: "Car", change: change))
      }
      for kind in ChangeKind.allCases {
        var expected: [RowChange] = []
        for change in added where change.kind == kind && !expected.contains(change) {
          expected.append(change)
        }
        expectEqual(transactions(of: kind, in: batch).map(\.change), expected)
        for transaction in transactions(of: kind, in: batch) {
          let first = added.firstIndex(of: transaction.change)
          expectEqual(transaction.object.name, first.map { "\($0)" } ?? "")
        }
      }
      expectEqual(batch.count, Set(added).count)
      expectEqual(batch.isEmpty, added.isEmpty)
    }
  }

  @Test func `D2 A batch leads from the list before to the list after, added in any order`() {
    withEvery("seed", in: seeds(3_000)) { seed in
      let test = SectionedCase(seed: seed)
      let batch = CacheTransactionBatch(
        changes: test.changes, objectType: "Row", filterValue: "tag",
        deleted: { test.old[$0.section].rows[$0.row] }, fresh: { test.new[$0.section].rows[$0.row] }
      )
      expectEqual(batch.changes, test.changes)
      expectEqual(batch.isEmpty, test.changes.isEmpty)
      expectEqual(
        batch.deleteTransactions.map(\.object),
        test.changes.deletes.map { test.old[$0.section].rows[$0.row] })

      var shuffled = CacheTransactionBatch<Row>(
        sectionChanges: test.changes, filterValue: batch.filterValue)
      var generator = SeededGenerator(seed: seed)
      for transaction in all(batch).shuffled(using: &generator) { shuffled.add(transaction) }
      for batch in [batch, shuffled] {
        var list = test.old
        batch.apply(to: &list, header: { test.new[$0].header }) { $0 }
        expectEqual(list, test.new)
      }
    }
  }

  @Test func `D2 A batch is applied to a plain array, with a row made for each object`() {
    let old = [1, 2, 3, 4]
    let new = [4, 9, 2]
    let batch = CacheTransactionBatch(
      changes: ListDiff(from: old, to: new).changes, objectType: "Int",
      deleted: { old[$0.row] }, fresh: { new[$0.row] })
    var list = old
    batch.apply(to: &list)
    #expect(list == new)
    var made = 0
    var names = old.map { "\($0)" }
    batch.apply(to: &names) { number in
      made += 1
      return "\(number)"
    }
    #expect(names == ["4", "9", "2"])
    #expect(made == 2)
  }

  @Test func `D2 If a row can't be made the list is as it was`() {
    struct Failure: Error {}
    let batch = CacheTransactionBatch(initialRows: [1, 2, 3], objectType: "Int")
    var list = ["old"]
    #expect(throws: Failure.self) {
      try batch.apply(to: &list) { number in
        if number == 3 { throw Failure() }
        return "\(number)"
      }
    }
    #expect(list == ["old"])
    #expect(throws: Failure.self) {
      try CacheTransactionBatch(
        changes: batch.changes, objectType: "Int", deleted: { _ in 0 },
        fresh: { _ in throw Failure() })
    }
  }

  @Test func `The first batch holds an insert for each object, in order`() {
    let objects = [["a", "b"], [], ["c"]]
    let batch = CacheTransactionBatch(initial: objects, objectType: "String", filterValue: "tag")
    #expect(batch.insertTransactions.map(\.object) == ["a", "b", "c"])
    #expect(
      batch.insertTransactions.map(\.updatedIndexPath) == [path(0, 0), path(0, 1), path(2, 0)])
    #expect(
      batch.insertTransactions.allSatisfy { $0.oldIndexPath == nil && $0.objectType == "String" })
    #expect(batch.filterValue == "tag")
    var list: [ListSection<Int, String>] = []
    batch.apply(to: &list, header: { $0 }) { $0 }
    #expect(list.map(\.rows) == objects)
    #expect(list.map(\.header) == [0, 1, 2])

    var flat: [String] = []
    CacheTransactionBatch(initialRows: ["a", "b"], objectType: "String").apply(to: &flat)
    #expect(flat == ["a", "b"])
    #expect(CacheTransactionBatch(initialRows: [Int](), objectType: "Int").isEmpty)
  }

  @Test func `A batch of changes of sections alone is not empty, and rows in them are left out`() {
    let batch = CacheTransactionBatch<Int>(
      sectionChanges: ListChanges(deletedSections: [0], deletes: [path(0)]))
    #expect(!batch.isEmpty)
    #expect(batch.count == 0)
    #expect(batch.changes == ListChanges(deletedSections: [0]))
  }

  @Test func `A batch survives encoding and is as idempotent as before`() throws {
    for seed in seeds(200) {
      let test = SectionedCase(seed: seed)
      let batch = CacheTransactionBatch(
        changes: test.changes, objectType: "Row", filterValue: seed.isMultiple(of: 2) ? "a" : nil,
        deleted: { test.old[$0.section].rows[$0.row] }, fresh: { test.new[$0.section].rows[$0.row] }
      )
      let data = try JSONEncoder().encode(batch)
      var decoded = try JSONDecoder().decode(CacheTransactionBatch<Row>.self, from: data)
      #expect(decoded == batch)
      for transaction in all(batch) { decoded.add(transaction) }
      #expect(decoded == batch)
      #expect(Set([decoded, batch]).count == 1)
    }
  }

  @Test func `A written batch with a transaction of another kind is refused`() throws {
    let batch = CacheTransactionBatch(initialRows: [1], objectType: "Int")
    let text = String(decoding: try JSONEncoder().encode(batch), as: UTF8.self)
    let wrong = text.replacingOccurrences(of: "inserts", with: "x")
      .replacingOccurrences(of: "moves", with: "inserts")
      .replacingOccurrences(of: "\"x\"", with: "\"moves\"")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CacheTransactionBatch<Int>.self, from: Data(wrong.utf8))
    }
  }

  @Test func `A written batch in which two transactions have one change is refused`() throws {
    let batch = CacheTransactionBatch(initialRows: [1], objectType: "Int")
    let data = try JSONEncoder().encode(batch.insertTransactions)
    let insert = String(decoding: data, as: UTF8.self).dropFirst().dropLast()
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        CacheTransactionBatch<Int>.self, from: Data("{\"inserts\":[\(insert),\(insert)]}".utf8))
    }
  }

  @Test(arguments: [
    #""deletes":[{"section":0,"row":0}]"#, #""inserts":[{"section":0,"row":0}]"#,
    #""moves":[{"old":{"section":0,"row":0},"new":{"section":0,"row":1}}]"#,
    #""updates":[{"old":{"section":0,"row":0},"new":{"section":0,"row":1}}]"#,
  ])
  func `A written batch with rows among the section changes is refused`(rows: String) throws {
    for part in [rows, "\(rows),\"deletedSections\":[1]"] {
      let text = "{\"sectionChanges\":{\(part)}}"
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(CacheTransactionBatch<Int>.self, from: Data(text.utf8))
      }
    }
    let sections = Data(#"{"sectionChanges":{"deletedSections":[1],"deletes":[]}}"#.utf8)
    let batch = try JSONDecoder().decode(CacheTransactionBatch<Int>.self, from: sections)
    #expect(batch.sectionChanges.deletedSections == [1])
  }

  private func transactions<Output>(
    of kind: ChangeKind, in batch: CacheTransactionBatch<Output>
  ) -> [CacheTransaction<Output>] {
    switch kind {
    case .insert: batch.insertTransactions
    case .update: batch.updateTransactions
    case .delete: batch.deleteTransactions
    case .move: batch.moveTransactions
    }
  }

  private func all<Output>(_ batch: CacheTransactionBatch<Output>) -> [CacheTransaction<Output>] {
    ChangeKind.allCases.flatMap { transactions(of: $0, in: batch) }
  }
}
