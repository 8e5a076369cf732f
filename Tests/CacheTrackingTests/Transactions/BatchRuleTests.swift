import CacheTracking
import Foundation
import ListDiffing
import TestSupport
import Testing

@Suite struct BatchRuleTests {
  private func rows(_ batch: ListChanges, _ objectType: String = "Row") -> CacheTransactionBatch<
    Int
  > {
    CacheTransactionBatch(
      changes: batch, objectType: objectType, deleted: { $0.row }, fresh: { $0.row })
  }

  @Test
  func `D3 A batch is applied where its changes are, and otherwise throws and changes nothing`() {
    withEvery("seed", in: seeds(4000)) { seed in
      var generator = SeededGenerator(seed: seed)
      func some(_ chance: Double) -> [ListPath] {
        (0..<2).flatMap { section in (0..<3).map { path(section, $0) } }
          .filter { _ in generator.chance(chance) }
      }
      let isFlat = generator.chance(0.5)
      let changes = ListChanges(
        insertedSections: !isFlat && generator.chance(0.3) ? [1] : [],
        deletes: some(0.2), inserts: some(0.2),
        updates: some(0.1).map { PositionChange(old: $0, new: $0) })
      let counts = (0..<2).map { _ in Int.random(in: 0...3, using: &generator) }
      let old = counts.map { ListSection(header: 0, rows: Array(100..<100 + $0)) }
      var (list, other) = (old, old)
      if isFlat {
        let isApplied = (try? changes.applyIfValid(to: &list[0].rows) { $0.row }) != nil
        let isBatchApplied = (try? rows(changes).applyIfValid(to: &other[0].rows) { $0 }) != nil
        expectEqual(isBatchApplied, isApplied)
      } else {
        let isApplied =
          (try? changes.applyIfValid(to: &list, header: { $0 }, row: { $0.row })) != nil
        let isBatchApplied =
          (try? rows(changes).applyIfValid(to: &other, header: { $0 }, make: { $0 })) != nil
        expectEqual(isBatchApplied, isApplied)
        if !isApplied { expectEqual(other, old) }
      }
      expectEqual(other, list)
    }
  }

  @Test func `A flat list has no sections that a batch could change`() {
    var list = [1]
    #expect(throws: ListChangesError.sectionsOfFlatList) {
      try rows(ListChanges(insertedSections: [1])).applyIfValid(to: &list) { $0 }
    }
    expectEqual(list, [1])
  }

  @Test func `A batch names the rule that it breaks`() {
    let batch = rows(ListChanges(deletes: [path(5)]))
    #expect(
      throws: ListChangesError.oldRowOutOfRange(path(5), counts: PositionChange(old: 2, new: 1))
    ) {
      try batch.validate(old: [2], new: [1])
    }
    #expect(throws: Never.self) {
      try rows(ListChanges(deletes: [path(1)])).validate(old: [2], new: [1])
    }
  }

  @Test func `A written part of another name is refused and named, one that is missing is empty`()
    throws
  {
    func decode(_ text: String) throws -> CacheTransactionBatch<Int> {
      try JSONDecoder().decode(CacheTransactionBatch<Int>.self, from: Data(text.utf8))
    }
    #expect(try decode("{}").isEmpty)
    for (text, name) in [
      (#"{"insert": []}"#, "insert"), (#"{"inserts": [], "delets": []}"#, "delets"),
    ] {
      let error = #expect(throws: DecodingError.self) { try decode(text) }
      #expect("\(String(describing: error))".contains("There is no part \"\(name)\""))
    }
  }

  @Test func `A batch that is offset keeps its objects, its order and its tag`() {
    var batch = CacheTransactionBatch<String>(
      sectionChanges: ListChanges(insertedSections: [0]), filterValue: "tag")
    for (row, kind) in [3, 1].enumerated() {
      batch.add(
        CacheTransaction(object: "\(row)", objectType: "Text", change: .insert(at: path(kind))))
    }
    let shown = batch.offset(sections: 2, rows: 1)
    expectEqual(shown.insertTransactions.map(\.updatedIndexPath), [path(2, 4), path(2, 2)])
    expectEqual(shown.insertTransactions.map(\.object), ["0", "1"])
    expectEqual(shown.insertTransactions.map(\.objectType), ["Text", "Text"])
    expectEqual(shown.filterValue, "tag")
    expectEqual(shown.sectionChanges.insertedSections, [2])
  }

  @Test func `An offset batch has the changes of its offset changes`() {
    let changes = ListChanges(
      deletes: [path(1)], inserts: [path(0), path(2)], updates: [change(3, 3)])
    expectEqual(
      rows(changes).offset(sections: 1, rows: 2).changes, changes.offset(sections: 1, rows: 2))
  }

  @Test func `transactions and batches print as their changes`() {
    let change = RowChange.insert(at: ListPath(section: 0, row: 3))
    let car = CacheTransaction(object: "Golf", objectType: "Car", change: change)
    #expect("\(car)" == "insert 0.3: Golf")
    #expect("\(CacheTransaction(object: (), objectType: "Car", change: change))" == "insert 0.3")
    #expect("\(CacheTransactionBatch<String>())" == "no changes")
  }

  @Test func `A transaction needs the name of its object's type`() async {
    await #expect(processExitsWith: .failure) {
      _ = CacheTransaction(object: 1, objectType: "", change: .insert(at: path(0)))
    }
  }

  @Test func `D1 A batch with two changes that lead to one row traps`() async {
    await #expect(processExitsWith: .failure) {
      var batch = CacheTransactionBatch(initialRows: [1], objectType: "Int")
      batch.add(
        CacheTransaction(object: 1, objectType: "Int", change: .move(from: path(0), to: path(0))))
      var list = [1]
      batch.apply(to: &list)
    }
  }
}
