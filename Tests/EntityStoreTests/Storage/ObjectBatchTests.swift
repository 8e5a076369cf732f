@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

/// Something with a number for its id.
private struct Mark: Entity {
  let id: Int
  var title: String
  static let attributes = Attributes(.id(\Mark.id), .attribute("title", \.title))
  static let schema = Schema(attributes, Mark.init)
}

@Suite struct `Objects are read from a table in batches` {
  private func slots(of objects: [UnsafeRawPointer], in table: RowTable) -> [Int?] {
    var slots: [Int?] = []
    objects.withUnsafeBufferPointer { objects in
      table.forEachSlot(ofObjects: objects) { _, slot in slots.append(slot) }
    }
    return slots
  }

  @Test func `Each object comes once, in the order asked for`() {
    for count in [1, 31, 32, 33, 64, 65, 1000] {
      let rows = (0..<count).map { EntityRow(Mark(id: $0, title: "")) }
      let table = RowTable(Mark.schema.entity, count: count) { rows[$0] }
      var generator = SeededGenerator(seed: count)
      for slots in [Array(0..<count), (0..<count).shuffled(using: &generator)] {
        var found: [Int] = []
        var batch = UnsafeObjectBatch(
          of: table, size: MemoryLayout<Mark>.size, expected: 0)
        func take() {
          for object in batch.objects {
            found.append(object.assumingMemoryBound(to: Mark.self).pointee.id)
          }
          batch.clear()
        }
        for slot in slots {
          if batch.room == 0 { take() }
          batch.append(slot)
        }
        take()
        take()
        expectEqual(found, slots, "of \(count)")
      }
      for slot in 0..<count {
        let object = table.object(slot)
        if let object { expectEqual(slots(of: [object], in: table), [slot], "of \(count)") }
        // Another version of the row.
        let other = EntityRow(Mark(id: slot, title: "x"))
        withExtendedLifetime(other) {
          expectEqual(slots(of: [other.box.object], in: table), [slot], "of \(count)")
        }
      }
      let none = EntityRow(Mark(id: count, title: ""))
      withExtendedLifetime(none) {
        expectEqual(slots(of: [none.box.object], in: table), [nil], "of \(count)")
      }
    }
  }

  @Test func `Few and many objects of a tree are read from a table with gaps`() {
    for count in [1, 32, 33, 300, 5000] {
      let entity = Mark.schema.entity
      var table = RowTable(entity, count: count) { EntityRow(Mark(id: $0, title: "")) }
      // The last leaves of the table have no objects, and neither have some in the middle.
      let kept = (0..<count).filter { $0 < 20 || ($0 > count / 3 && $0 < count - 40) }
      for slot in Set(0..<count).subtracting(kept) { table.remove(slot) }
      var builder = RankTreeBuilder()
      for slot in kept.reversed() { builder.append(RankEntry(prefix: 0, slot: UInt32(slot))) }
      let tree = builder.tree()
      for expected in [0, count] {
        var batch = UnsafeObjectBatch(
          of: table, size: MemoryLayout<Mark>.size, expected: expected)
        var found: [Int] = []
        var rest = 0..<tree.count
        while !rest.isEmpty {
          let part = rest.prefix(batch.room)
          batch.append(tree, part)
          rest = part.upperBound..<rest.upperBound
          for object in batch.objects {
            found.append(object.assumingMemoryBound(to: Mark.self).pointee.id)
          }
          batch.clear()
        }
        expectEqual(found, kept.reversed(), "of \(count), \(expected) expected")
      }
    }
  }
}
