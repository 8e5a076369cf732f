import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import TestSupport
import Testing

/// A view model: it doesn't show everything of a car.
struct CarRow: Diffable, Hashable, Sendable {
  let diffIdentifier: Int
  var title: String
  var band: Int
}

/// What a test keeps of a row, whatever its type.
struct ShownRow: Hashable, Sendable {
  var id: Int
  var text: String
  /// What the section of the row is ordered by, if that isn't its title.
  var order = ""
}

/// What a test keeps of a section's head.
struct ShownHeader: Hashable, Sendable {
  var identity: StoredValue
  var name: String
  var parts: [Int] = []

  var key: [AnyHashable] { [identity, parts] }
}

typealias ShownList = [ListSection<ShownHeader, ShownRow>]

/// A row of a list, in one of its parts.
struct ShownKey: Hashable {
  var parts: [Int]
  var id: Int
}

func shown<Row>(_ snapshot: ListSnapshot<Row>, _ row: (Row) -> ShownRow) -> ShownList {
  snapshot.sections.map { section in
    ListSection(
      header: ShownHeader(
        identity: section.identity, name: section.name, parts: section.parts),
      rows: section.map(row))
  }
}

func shown(
  _ snapshot: ListSnapshot<EntityView<Car>>, _ row: (EntityView<Car>) -> ShownRow
) -> ShownList {
  snapshot.sections.map { section in
    ListSection(
      header: ShownHeader(identity: section.identity, name: section.name),
      rows: section.map(row))
  }
}

func shown(_ row: CarRow) -> ShownRow {
  ShownRow(id: row.diffIdentifier, text: "\(row.title) \(row.band)")
}

/// One step of a list, as plain values.
struct ShownStep {
  var before: ShownList
  var changes: ListChanges
  var after: ShownList

  init<Row>(_ event: ListEvent<Row>, _ row: (Row) -> ShownRow) {
    before = shown(event.before, row)
    changes = event.changes
    after = shown(event.after, row)
  }

  init(_ event: ListEvent<EntityView<Car>>, _ row: (EntityView<Car>) -> ShownRow) {
    before = shown(event.before, row)
    changes = event.changes
    after = shown(event.after, row)
  }

  init(_ before: ShownList, _ changes: ListChanges, _ after: ShownList) {
    self.before = before
    self.changes = changes
    self.after = after
  }

  /// The rows that the changes name: what may move in a list that is derived from this one.
  func named(in parts: [Int] = []) -> Set<ShownKey> {
    func key(_ list: ShownList, _ path: ListPath) -> ShownKey {
      ShownKey(parts: parts + list[path.section].header.parts, id: list[path].id)
    }
    let old = changes.deletes + changes.updates.map(\.old) + changes.moves.map(\.old)
    return Set(old.map { key(before, $0) } + changes.inserts.map { key(after, $0) })
  }

  // MARK: The rules

  /// Checks the step against D1, D2, F3 and F4, knowing nothing of how it was made.
  ///
  /// `named` are the rows that the source's event names; `order` is what a section is ordered by, before (false) or
  /// after (true), and without it moves are not checked; if the list is another one as a whole, all may move.
  func check(
    named: Set<ShownKey>, isSectioned: Bool, _ trace: String, isWhole: Bool = false,
    order: ((ListSection<ShownHeader, ShownRow>, Bool) -> String)? = { section, _ in
      section.header.name
    }
  ) {
    do {
      try changes.validate(old: before.map(\.rows.count), new: after.map(\.rows.count))
    } catch {
      Issue.record("\(trace): \(error) in \(changes) from \(before) to \(after)")
      return
    }
    var copy = before
    changes.apply(to: &copy) {
      after[$0].header
    } row: {
      after[$0]
    }
    #expect(copy == after, "\(trace): D2 leads elsewhere: \(changes)")
    #expect(!changes.isEmpty, "\(trace): F2 allows no empty event")
    if isSectioned {
      #expect(after.allSatisfy { !$0.rows.isEmpty }, "\(trace): F4, no section is ever empty")
    }
    guard let order else { return }
    checkRows(named, trace)
    checkSections(trace, isWhole: isWhole, order)
  }

  private struct Place {
    var row: ShownRow
    var path: ListPath
    var section: [AnyHashable]
  }

  private func places(_ list: ShownList) -> [ShownKey: Place] {
    var places: [ShownKey: Place] = [:]
    for (section, content) in list.enumerated() {
      for (row, value) in content.rows.enumerated() {
        places[ShownKey(parts: content.header.parts, id: value.id)] = Place(
          row: value, path: ListPath(section: section, row: row), section: content.header.key)
      }
    }
    return places
  }

  private func checkRows(_ named: Set<ShownKey>, _ trace: String) {
    let old = places(before)
    let new = places(after)
    #expect(
      Set(changes.deletes) == Set(old.filter { new[$0.key] == nil }.map(\.value.path)),
      "\(trace): deletes")
    #expect(
      Set(changes.inserts) == Set(new.filter { old[$0.key] == nil }.map(\.value.path)),
      "\(trace): inserts")
    let moves = Dictionary(uniqueKeysWithValues: changes.moves.map { ($0.old, $0.new) })
    let updates = Dictionary(uniqueKeysWithValues: changes.updates.map { ($0.old, $0.new) })
    var moved: Set<ShownKey> = []
    for (key, was) in old {
      guard let now = new[key] else { continue }
      if let path = moves[was.path] {
        moved.insert(key)
        #expect(path == now.path, "\(trace): a move leads elsewhere")
        #expect(named.contains(key), "\(trace): F3, an untouched row moves")
      } else {
        #expect(was.section == now.section, "\(trace): F4, a row that changes section is a move")
        #expect(
          updates[was.path] == (was.row.text == now.row.text ? nil : now.path),
          "\(trace): F3, updates")
      }
    }
    let survivors = old.filter { new[$0.key]?.section == $0.value.section }
    for (_, rows) in Dictionary(grouping: survivors, by: \.value.section) {
      let order = rows.sorted { $0.value.path < $1.value.path }.map(\.key)
      expectFewest(
        order, touched: order.filter(named.contains), moved: moved,
        after: { new[$0]?.path ?? ListPath(section: 0, row: 0) }, "\(trace): F3, rows")
    }
  }

  private func checkSections(
    _ trace: String, isWhole: Bool, _ order: (ListSection<ShownHeader, ShownRow>, Bool) -> String
  ) {
    let old = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.header.key, $0) })
    let new = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($1.header.key, $0) })
    #expect(
      changes.deletedSections == before.indices.filter { new[before[$0].header.key] == nil },
      "\(trace): deleted sections")
    #expect(
      changes.insertedSections == after.indices.filter { old[after[$0].header.key] == nil },
      "\(trace): inserted sections")
    let survivors = before.map(\.header.key).filter { new[$0] != nil }
    let touched = survivors.filter { key in
      guard let was = old[key], let now = new[key] else { return false }
      return isWhole || order(before[was], false) != order(after[now], true)
    }
    var moved: Set<[AnyHashable]> = []
    for move in changes.movedSections {
      let key = before[move.old].header.key
      #expect(new[key] == move.new, "\(trace): a section's move leads elsewhere")
      #expect(touched.contains(key), "\(trace): F4, an untouched section moves")
      moved.insert(key)
    }
    expectFewest(
      survivors, touched: touched, moved: moved, after: { new[$0] ?? 0 }, "\(trace): F4, sections")
    for key in survivors where !moved.contains(key) {
      guard let was = old[key], let now = new[key] else { continue }
      let isListed = changes.updatedSections.contains(PositionChange(old: was, new: now))
      #expect(
        isListed == (before[was].header.name != after[now].header.name),
        "\(trace): updated sections")
    }
    #expect(changes.updatedSections.allSatisfy { !moved.contains(before[$0.old].header.key) })
  }

  /// Tries every set of touched survivors that could stay.
  private func expectFewest<Key: Hashable, Position: Comparable>(
    _ order: [Key], touched: [Key], moved: Set<Key>, after: (Key) -> Position, _ trace: String
  ) {
    guard touched.count <= 9 else { return }
    var most = 0
    for set in 0..<(1 << touched.count) {
      let away = Set(touched.indices.filter { set & (1 << $0) == 0 }.map { touched[$0] })
      let positions = order.filter { !away.contains($0) }.map(after)
      if zip(positions, positions.dropFirst()).allSatisfy(<) {
        most = max(most, touched.count - away.count)
      }
    }
    #expect(
      touched.filter(moved.contains).count == touched.count - most, "\(trace): fewest moves")
  }
}

/// Follows a list and compares what it shows and tells with what it should.
final class DerivedWatch<Row: Diffable & Sendable> {
  let name: String
  let model: DerivedModel<Row>
  let recorder: Recorder<ListEvent<Row>>
  let row: (Row) -> ShownRow
  private var last: ShownList
  private var told = 0
  /// How many events there were, and how many changes of each kind.
  private(set) var counts: [String: Int] = [:]

  init(_ name: String, _ model: DerivedModel<Row>, _ row: @escaping (Row) -> ShownRow) {
    self.name = name
    self.model = model
    self.row = row
    recorder = Recorder(model.didChange)
    last = shown(model.snapshot, row)
  }

  /// Checks what has come since the last time.
  ///
  /// - Returns: the step, if there was one.
  func check(
    _ expected: ShownList, named: Set<ShownKey>, isSectioned: Bool, _ trace: String,
    isWhole: Bool = false,
    order: ((ListSection<ShownHeader, ShownRow>, Bool) -> String)? = { section, _ in
      section.header.name
    }
  ) -> ShownStep? {
    let trace = "\(name), \(trace)"
    let now = shown(model.snapshot, row)
    #expect(
      now.map(\.header) == expected.map(\.header), "\(trace): sections")
    #expect(
      now.map { $0.rows.map(\.text) } == expected.map { $0.rows.map(\.text) }, "\(trace): rows")
    #expect(model.snapshot.count == expected.reduce(0) { $0 + $1.rows.count }, "\(trace): count")
    #expect(model.snapshot.rows.map(row) == now.flatMap(\.rows), "\(trace): all rows")
    let events = recorder.values.dropFirst(told)
    told += events.count
    #expect(events.count <= 1, "\(trace): one event")
    defer { last = now }
    guard let event = events.first else {
      #expect(now == last, "\(trace): a change without an event")
      return nil
    }
    let step = ShownStep(event, row)
    #expect(step.before == last && step.after == now, "\(trace): before and after")
    step.check(
      named: named, isSectioned: isSectioned, trace, isWhole: isWhole, order: order)
    counts["events", default: 0] += 1
    counts["deletes", default: 0] += step.changes.deletes.count
    counts["inserts", default: 0] += step.changes.inserts.count
    counts["moves", default: 0] += step.changes.moves.count
    counts["updates", default: 0] += step.changes.updates.count
    counts["deleted sections", default: 0] += step.changes.deletedSections.count
    counts["inserted sections", default: 0] += step.changes.insertedSections.count
    counts["moved sections", default: 0] += step.changes.movedSections.count
    counts["updated sections", default: 0] += step.changes.updatedSections.count
    return step
  }
}

/// What a filter leaves of a list, by hand.
func kept(
  _ list: ShownList, isSectioned: Bool, _ isKept: (ShownRow) -> Bool
) -> ShownList {
  list.map { ListSection(header: $0.header, rows: $0.rows.filter(isKept)) }
    .filter { !isSectioned || !$0.rows.isEmpty }
}
