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
    for count in [1, 15, 16, 17, 64, 65, 1000] {
      let rows = (0..<count).map { EntityRow(Mark(id: $0, title: "")) }
      let table = RowTable(Mark.schema.entity, count: count) { rows[$0] }
      var generator = SeededGenerator(seed: count)
      for slots in [Array(0..<count), (0..<count).shuffled(using: &generator)] {
        var found: [Int] = []
        var batch = UnsafeObjectBatch(of: table, size: MemoryLayout<Mark>.size)
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
}
