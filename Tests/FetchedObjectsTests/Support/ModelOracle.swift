import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Testing

/// Checks an event against what it says happened, knowing nothing of how it was made.
struct EventOracle {
  let includesOwner: Bool
  /// Whether the query has sections.
  let isSectioned: Bool
  /// Whether every row and every section is a candidate, as for a new query.
  var isNewQuery = false

  func check(_ event: ListEvent<EntityView<Car>>, _ trace: String) throws {
    ListOracle(isSectioned: isSectioned, isNewQuery: isNewQuery).check(
      version(event.before), event.changes, version(event.after), trace)
  }

  private func version(_ snapshot: ListSnapshot<EntityView<Car>>) -> [OracleSection<PlainRow>] {
    snapshot.sections.map { section in
      OracleSection(
        identity: section.identity, title: section.name,
        rows: section.map { plain($0, includesOwner: includesOwner) })
    }
  }
}

/// A section of a list by hand.
struct OracleSection<Row: OracleRow>: Equatable, Sendable {
  let identity: StoredValue
  let title: String
  var rows: [Row]
}

/// A row by hand: equal to another if nothing differs that its query reads.
protocol OracleRow: Hashable, Sendable {
  var id: Int { get }
}

extension PlainRow: OracleRow {}

/// Checks changes against two lists.
struct ListOracle<Row: OracleRow> {
  let isSectioned: Bool
  /// Whether every row and every section is a candidate, as for a new query.
  var isNewQuery = false

  func check(
    _ old: [OracleSection<Row>], _ changes: ListChanges, _ new: [OracleSection<Row>],
    _ trace: String
  ) {
    do {
      try changes.validate(old: old.map(\.rows.count), new: new.map(\.rows.count))
    } catch {
      Issue.record("\(trace): \(error) in \(changes) from \(old) to \(new)")
      return
    }
    #expect(applied(changes, to: old, new) == listed(new), "\(trace): D2 leads elsewhere")
    #expect(!changes.isEmpty, "\(trace): F2 allows no empty event")
    checkRows(old, changes, new, trace)
    checkSections(old, changes, new, trace)
    #expect(
      applied(changes.inverted, to: new, old) == listed(old),
      "\(trace): the inverted changes lead elsewhere")
  }

  private func listed(_ list: [OracleSection<Row>]) -> [ListSection<String, Row>] {
    list.map { ListSection(header: $0.title, rows: $0.rows) }
  }

  private func applied(
    _ changes: ListChanges, to old: [OracleSection<Row>], _ new: [OracleSection<Row>]
  ) -> [ListSection<String, Row>] {
    var list = listed(old)
    changes.apply(to: &list) {
      new[$0].title
    } row: {
      new[$0.section].rows[$0.row]
    }
    return list
  }

  private struct Place {
    var row: Row
    var path: ListPath
    var section: StoredValue
  }

  private func places(_ list: [OracleSection<Row>]) -> [Int: Place] {
    var places: [Int: Place] = [:]
    for (section, info) in list.enumerated() {
      for (index, row) in info.rows.enumerated() {
        places[row.id] = Place(
          row: row, path: ListPath(section: section, row: index), section: info.identity)
      }
    }
    return places
  }

  /// F3 and F4: each row is in the one change it must be in, and no more rows move than must.
  private func checkRows(
    _ before: [OracleSection<Row>], _ changes: ListChanges, _ after: [OracleSection<Row>],
    _ trace: String
  ) {
    let old = places(before)
    let new = places(after)
    #expect(
      Set(changes.deletes) == Set(old.values.filter { new[$0.row.id] == nil }.map(\.path)),
      "\(trace): deletes")
    #expect(
      Set(changes.inserts) == Set(new.values.filter { old[$0.row.id] == nil }.map(\.path)),
      "\(trace): inserts")
    var moved: Set<Int> = []
    let byOldPath = Dictionary(uniqueKeysWithValues: old.values.map { ($0.path, $0) })
    for move in changes.moves {
      guard let before = byOldPath[move.old], let after = new[before.row.id] else { continue }
      #expect(after.path == move.new, "\(trace): a move leads elsewhere")
      #expect(
        isNewQuery || before.row != after.row || before.section != after.section,
        "\(trace): F3, an untouched row moves")
      moved.insert(before.row.id)
    }
    var updated: Set<Int> = []
    for update in changes.updates {
      if let before = byOldPath[update.old] { updated.insert(before.row.id) }
    }
    for (id, before) in old {
      guard let after = new[id] else { continue }
      if before.section != after.section {
        #expect(moved.contains(id), "\(trace): F4, a row that changes section is a move")
      } else if !moved.contains(id) {
        // A new query may include other values, which are an update of every row.
        let isUpdated = updated.contains(id)
        #expect(
          isNewQuery && isUpdated || isUpdated == (before.row != after.row),
          "\(trace): F3, updates: \(before.row) is \(after.row)")
      }
    }
    checkFewestMoves(old, new, moved, trace)
  }

  /// By trying every set of touched survivors that could stay.
  private func checkFewestMoves(
    _ old: [Int: Place], _ new: [Int: Place], _ moved: Set<Int>, _ trace: String
  ) {
    let survivors = old.values.filter { new[$0.row.id]?.section == $0.section }
    for (_, rows) in Dictionary(grouping: survivors, by: \.section) {
      let order = rows.sorted { $0.path < $1.path }.map(\.row.id)
      let touched = order.filter { isNewQuery || old[$0]?.row != new[$0]?.row }
      guard touched.count <= 10 else { continue }
      var most = 0
      for set in 0..<(1 << touched.count) {
        let away = Set(touched.indices.filter { set & (1 << $0) == 0 }.map { touched[$0] })
        let staying = order.filter { !away.contains($0) }
        let paths = staying.compactMap { new[$0]?.path }
        if paths == paths.sorted() { most = max(most, touched.count - away.count) }
      }
      let count = touched.filter(moved.contains).count
      #expect(count == touched.count - most, "\(trace): F3, fewest moves")
    }
  }

  private func checkSections(
    _ before: [OracleSection<Row>], _ changes: ListChanges, _ after: [OracleSection<Row>],
    _ trace: String
  ) {
    let old = before.map { ($0.identity, $0.title) }
    let new = after.map { ($0.identity, $0.title) }
    if isSectioned {
      #expect(
        after.allSatisfy { !$0.rows.isEmpty }, "\(trace): F4, no section is ever empty")
    }
    let oldIDs = Set(old.map(\.0))
    let newIDs = Set(new.map(\.0))
    #expect(
      changes.deletedSections == old.indices.filter { !newIDs.contains(old[$0].0) },
      "\(trace): deleted sections")
    #expect(
      changes.insertedSections == new.indices.filter { !oldIDs.contains(new[$0].0) },
      "\(trace): inserted sections")
    let moved = Set(changes.movedSections.map { old[$0.old].0 })
    for move in changes.movedSections {
      #expect(old[move.old].0 == new[move.new].0, "\(trace): a section's move leads elsewhere")
    }
    let staying = old.map(\.0).filter { newIDs.contains($0) && !moved.contains($0) }
    let stayed = new.map(\.0).filter { oldIDs.contains($0) && !moved.contains($0) }
    #expect(staying == stayed, "\(trace): sections that stay change their order")
    let titles = Dictionary(uniqueKeysWithValues: new.map { ($0.0, $0.1) })
    // Title and order are one in these queries, so a section is touched if its title is another.
    let survivors = old.filter { newIDs.contains($0.0) }
    let touched = survivors.filter { isNewQuery || titles[$0.0] != $0.1 }.map(\.0)
    #expect(moved.isSubset(of: touched), "\(trace): F4, an untouched section moves")
    var most = 0
    for set in 0..<(1 << touched.count) {
      let away = Set(touched.indices.filter { set & (1 << $0) == 0 }.map { touched[$0] })
      let kept = survivors.map(\.0).filter { !away.contains($0) }
      let keptAfter = new.map(\.0).filter { oldIDs.contains($0) && !away.contains($0) }
      if kept == keptAfter { most = max(most, touched.count - away.count) }
    }
    #expect(moved.count == touched.count - most, "\(trace): F4, fewest moves of sections")
    let retitled = old.indices.filter { index in
      !moved.contains(old[index].0) && titles[old[index].0].map { $0 != old[index].1 } == true
    }
    #expect(changes.updatedSections.map(\.old) == retitled, "\(trace): updated sections")
  }
}
