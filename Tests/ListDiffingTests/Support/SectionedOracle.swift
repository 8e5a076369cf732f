import ListDiffing
import TestSupport

/// A random sectioned list, an edited version of it, and the changes between them, worked out naively from
/// the identities.
struct SectionedCase: Sendable {
  let old: [Section]
  let new: [Section]
  let changes: ListChanges

  init(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let old = Self.list(using: &generator)
    let new =
      generator.chance(0.3) ? Self.list(using: &generator) : Self.edited(old, using: &generator)
    self.init(from: old, to: new, using: &generator)
  }

  init(from old: [Section], to new: [Section], using generator: inout SeededGenerator) {
    self.old = old
    self.new = new
    let oldIDs = old.map(\.header.id)
    let newIDs = new.map(\.header.id)
    let staying = Self.commonPart(oldIDs, newIDs, using: &generator)
    var changes = (
      movedSections: [PositionChange<Int>](), updatedSections: [PositionChange<Int>](),
      moves: [PositionChange<ListPath>](), updates: [PositionChange<ListPath>]()
    )
    for (position, section) in new.enumerated() {
      guard let origin = oldIDs.firstIndex(of: section.header.id) else { continue }
      let change = PositionChange(old: origin, new: position)
      if !staying.contains(section.header.id) {
        changes.movedSections.append(change)
      } else if old[origin].header != section.header {
        changes.updatedSections.append(change)
      }
    }

    let oldPaths = Self.paths(of: old)
    let newPaths = Self.paths(of: new)
    for (section, content) in new.enumerated() {
      var staying: Set<Int> = []
      if let origin = oldIDs.firstIndex(of: content.header.id) {
        staying = Self.commonPart(
          old[origin].rows.map(\.id), content.rows.map(\.id), using: &generator)
      }
      for (row, value) in content.rows.enumerated() {
        guard let before = oldPaths[value.id] else { continue }
        let change = PositionChange(old: before, new: ListPath(section: section, row: row))
        if !staying.contains(value.id) {
          changes.moves.append(change)
        } else if old[before] != value {
          changes.updates.append(change)
        }
      }
    }
    self.changes = ListChanges(
      deletedSections: oldIDs.indices.filter { !newIDs.contains(oldIDs[$0]) },
      insertedSections: newIDs.indices.filter { !oldIDs.contains(newIDs[$0]) },
      movedSections: changes.movedSections.shuffled(using: &generator),
      updatedSections: changes.updatedSections.shuffled(using: &generator),
      deletes: oldPaths.filter { newPaths[$0.key] == nil }.map(\.value),
      inserts: newPaths.filter { oldPaths[$0.key] == nil }.map(\.value),
      moves: changes.moves.shuffled(using: &generator),
      updates: changes.updates.shuffled(using: &generator))
  }

  /// Identities that are in both lists in the same order: a longest choice or any.
  private static func commonPart(
    _ old: [Int], _ new: [Int], using generator: inout SeededGenerator
  ) -> Set<Int> {
    let skip = generator.chance(0.5) ? 0 : 0.3
    var result: Set<Int> = []
    var last = -1
    for id in new {
      guard let place = old.firstIndex(of: id), place > last, !generator.chance(skip) else {
        continue
      }
      result.insert(id)
      last = place
    }
    return result
  }

  private static func paths(of list: [Section]) -> [Int: ListPath] {
    var paths: [Int: ListPath] = [:]
    for (section, content) in list.enumerated() {
      for (row, value) in content.rows.enumerated() { paths[value.id] = path(section, row) }
    }
    return paths
  }

  /// Up to 5 sections of up to 24 rows in all.
  private static func list(using generator: inout SeededGenerator) -> [Section] {
    let sections = Array(0..<7).shuffled(using: &generator)
      .prefix(Int.random(in: 0...5, using: &generator))
    var list = sections.map {
      Section(header: Row(id: $0, version: Int.random(in: 0...1, using: &generator)), rows: [])
    }
    guard !list.isEmpty else { return [] }
    let size = Int.random(in: 0...24, using: &generator)
    for id in Array(0..<30).shuffled(using: &generator).prefix(size) {
      let section = Int.random(in: list.indices, using: &generator)
      list[section].rows.append(Row(id: id, version: Int.random(in: 0...1, using: &generator)))
    }
    return list
  }

  private static func edited(
    _ list: [Section], using generator: inout SeededGenerator
  ) -> [Section] {
    var list = list
    if generator.chance(0.3) {
      for section in list.indices {
        if generator.chance(0.4) { list[section].header.version += 1 }
        for row in list[section].rows.indices where generator.chance(0.4) {
          list[section].rows[row].version += 1
        }
      }
    }
    for step in 0..<Int.random(in: 0...6, using: &generator) {
      let section = list.indices.randomElement(using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        let place = Int.random(in: 0...list.count, using: &generator)
        list.insert(Section(header: Row(id: 100 + step), rows: []), at: place)
      case 1:
        if let section { list.remove(at: section) }
      case 2:
        if let section { list[section].header.version += 1 }
      case 3:
        if let section {
          let moved = list.remove(at: section)
          list.insert(moved, at: Int.random(in: 0...list.count, using: &generator))
        }
      default:
        if let section {
          Self.editRow(in: section, of: &list, newID: 200 + step, using: &generator)
        }
      }
    }
    return list
  }

  private static func editRow(
    in section: Int, of list: inout [Section], newID: Int, using generator: inout SeededGenerator
  ) {
    func insert(_ row: Row, using generator: inout SeededGenerator) {
      let target = Int.random(in: list.indices, using: &generator)
      let place = Int.random(in: 0...list[target].rows.count, using: &generator)
      list[target].rows.insert(row, at: place)
    }
    guard let row = list[section].rows.indices.randomElement(using: &generator) else {
      return insert(Row(id: newID), using: &generator)
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: insert(Row(id: newID), using: &generator)
    case 1: list[section].rows.remove(at: row)
    case 2: list[section].rows[row].version += 1
    default: insert(list[section].rows.remove(at: row), using: &generator)
    }
  }
}
