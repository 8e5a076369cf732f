@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

/// An attribute whose end is noticed.
final class Payload: Storable {
  static let tracker = LifetimeTracker()
  static let storedType = StoredType.integer
  let number: Int
  private let tracked: LifetimeTracker.Tracked

  init(_ number: Int, _ tracker: LifetimeTracker = Payload.tracker) {
    self.number = number
    tracked = tracker.track()
  }

  convenience init(storedValue: StoredValue) throws {
    self.init(try Int(storedValue: storedValue))
  }

  var storedValue: StoredValue { number.storedValue }
}

/// Something with a payload.
struct Crate: Entity {
  let id: String
  var payload: Payload
  static let attributes = Attributes(.id(\Crate.id), .attribute("payload", \.payload))
  static let schema = Schema(attributes, Crate.init)
}

@Suite(.oneThread) struct `A table of rows agrees with a dictionary` {
  @Test func `A table made of many rows at once finds each, and can change further`() {
    for count in [0, 1, 50, 101, 102, 103, 1000, 20_000] {
      let rows = (0..<count).map { EntityRow(Crate(id: "\($0)", payload: Payload($0))) }
      var table = RowTable(Crate.schema.entity, count: rows.count) { rows[$0] }
      expectEqual(table.count, count)
      for number in 0..<count { expectEqual(table.slot(of: .text("\(number)")), number) }
      expectEqual(table.slot(of: .text("\(count)")), nil)
      var free = FreeSlots(of: table)
      for number in count..<count + 300 {
        let slot = free.take()
        expectEqual(slot, number)
        table.insert(EntityRow(Crate(id: "\(number)", payload: Payload(number))), at: slot)
      }
      for number in stride(from: 0, to: count + 300, by: 2) { table.remove(number) }
      expectEqual(table.count, (count + 300) / 2)
      for number in 0..<count + 300 {
        let expected = number % 2 == 0 ? nil : number
        expectEqual(table.slot(of: .text("\(number)")), expected, "of \(count)")
      }
    }
  }

  private struct Pair {
    var table = RowTable(Crate.schema.entity)
    /// By the bytes of the ids.
    var numbers: [[UInt8]: Int] = [:]
    var free = FreeSlots()

    mutating func set(_ id: String, _ number: Int, _ tracker: LifetimeTracker) {
      let row = EntityRow(Crate(id: id, payload: Payload(number, tracker)))
      if let slot = table.slot(of: .text(id)) {
        table.replace(slot, with: row)
      } else {
        table.insert(row, at: free.take())
      }
      numbers[Array(id.utf8)] = number
    }

    mutating func remove(_ id: String) {
      numbers[Array(id.utf8)] = nil
      guard let slot = table.slot(of: .text(id)) else { return }
      table.remove(slot)
      free.giveBack(slot)
    }

    func check(_ ids: [String]) {
      expectEqual(table.count, numbers.count)
      for id in ids {
        let row = table.row(.text(id))
        expectEqual(row?.value(as: Crate.self).payload.number, numbers[Array(id.utf8)])
        guard let slot = table.slot(of: .text(id)) else { continue }
        expectTrue(table.id(slot) == .text(id))
        expectTrue(table[slot]?.box === row?.box)
      }
      var found: Set<[UInt8]> = []
      var slots: [Int] = []
      table.forEach { slot, row, object in
        found.insert(Array(EntityRow(row.takeUnretainedValue()).value(as: Crate.self).id.utf8))
        expectTrue(table.object(slot) == object)
        slots.append(slot)
      }
      expectEqual(found, Set(numbers.keys))
      expectEqual(slots, slots.sorted())
    }
  }

  @Test func `It keeps what was set, copies stay as they were, and each row is released once`() {
    withEvery("seed", in: seeds(40)) { seed in
      LifetimeTracker.check { tracker in
        var generator = SeededGenerator(seed: seed)
        // Few ids are taken again and again, many make it grow.
        let ids = (0..<(seed % 4 == 0 ? 900 : 30)).map { "id \($0)" } + HostileText.samples
        var pair = Pair()
        var copies: [Pair] = []
        for step in 0..<ids.count * 3 {
          let id = ids.randomElement(using: &generator) ?? ""
          let grows = generator.chance(step / ids.count % 2 == 0 ? 0.8 : 0.3)
          if grows { pair.set(id, step, tracker) } else { pair.remove(id) }
          if generator.chance(0.02) { copies.append(pair) }
        }
        pair.check(ids)
        for copy in copies { copy.check(ids) }
        var alive: Set<ObjectIdentifier> = []
        for pair in copies + [pair] {
          pair.table.forEach { _, row, _ in
            alive.insert(ObjectIdentifier(row.takeUnretainedValue()))
          }
        }
        expectEqual(tracker.aliveCount, alive.count)
      }
    }
  }

  @Test func `A slot is used again when its row is released, and not before`() {
    var free = FreeSlots()
    #expect((0..<3).map { _ in free.take() } == [0, 1, 2])
    free.giveBack(1)
    #expect((0..<2).map { _ in free.take() } == [1, 3])
  }

  @Test func `A store frees each row when nothing holds it, and not twice`() throws {
    try LifetimeTracker.check { tracker in
      let store = try Store(.inMemory, entities: [Crate.self])
      var generator = SeededGenerator(number: 5)
      var snapshots: [Store.Snapshot] = []
      for round in 0..<60 {
        // Every third is too large to be made in place.
        let ids = (0..<(round % 3 == 0 ? 150 : 5)).map { _ in
          "\(Int.random(in: 0..<300, using: &generator))"
        }
        try store.commit { draft in
          for id in ids {
            if generator.chance(0.7) {
              try draft.upsert(Crate(id: id, payload: Payload(round, tracker)))
            } else if try draft.find(Crate.self, id) != nil {
              try draft.delete(Crate.self, id)
            }
          }
        }
        if round % 4 == 0 { snapshots.append(try store.snapshot()) }
        if round % 9 == 0 { snapshots.removeFirst(snapshots.count / 2) }
      }
      var alive: Set<ObjectIdentifier> = []
      for version in snapshots + [try store.snapshot()] {
        for crate in try version.fetch(Query<Crate>()) {
          alive.insert(ObjectIdentifier(crate.payload))
        }
      }
      #expect(tracker.aliveCount == alive.count)
      #expect(alive.count > store.heldVersionCount)
    }
  }
}
