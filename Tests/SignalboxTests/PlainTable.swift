import Signalbox

/// A table with the batch rules of UIKit's: it keeps what it has drawn, asks only for what a batch names, and
/// counts.
@MainActor final class PlainTable {
  var rowCounts: () -> [Int] = { [] }
  var cell: (ListPath) -> String = { _ in "" }
  private(set) var cells: [[String]] = []
  /// What UIKit would have thrown an exception for.
  private(set) var complaints: [String] = []

  private var deletedSections: Set<Int> = []
  private var insertedSections: Set<Int> = []
  private var reloadedSections: Set<Int> = []
  private var movedSections: [Int: Int] = [:]
  private var deleted: Set<ListPath> = []
  private var inserted: Set<ListPath> = []
  private var reloaded: Set<ListPath> = []

  func reloadData() {
    cells = rowCounts().enumerated().map { section, count in
      (0..<count).map { cell(ListPath(section: section, row: $0)) }
    }
  }

  func beginUpdates() {
    (deletedSections, insertedSections, reloadedSections, movedSections) = ([], [], [], [:])
    (deleted, inserted, reloaded) = ([], [], [])
  }

  func insertSections(_ sections: [Int]) { insertedSections.formUnion(sections) }
  func deleteSections(_ sections: [Int]) { deletedSections.formUnion(sections) }
  func reloadSections(_ sections: [Int]) { reloadedSections.formUnion(sections) }
  func moveSection(_ section: Int, toSection new: Int) { movedSections[section] = new }
  func insertRows(at paths: [ListPath]) { inserted.formUnion(paths) }
  func deleteRows(at paths: [ListPath]) { deleted.formUnion(paths) }
  func reloadRows(at paths: [ListPath]) { reloaded.formUnion(paths) }

  func endUpdates() {
    let counts = rowCounts()
    var staying = cells.indices.filter {
      !deletedSections.contains($0) && movedSections[$0] == nil
    }[
      ...]
    let arrived = Dictionary(uniqueKeysWithValues: movedSections.map { ($1, $0) })
    cells = counts.indices.map { section in
      let fresh = (0..<counts[section]).map { cell(ListPath(section: section, row: $0)) }
      if insertedSections.contains(section) { return fresh }
      guard let old = arrived[section] ?? staying.popFirst() else {
        complaints.append("there is no section for section \(section) after the batch")
        return fresh
      }
      return reloadedSections.contains(old)
        ? fresh : rows(of: section, from: old, count: counts[section])
    }
    if !staying.isEmpty { complaints.append("\(staying.count) sections are left over") }
  }

  /// The rows of a section: those that it had, without what is deleted, and around them what is inserted.
  private func rows(of section: Int, from old: Int, count: Int) -> [String] {
    var kept: [String?] = cells[old].indices.compactMap { row in
      let path = ListPath(section: old, row: row)
      if deleted.contains(path) { return nil }
      return .some(reloaded.contains(path) ? nil : cells[old][row])
    }
    let new = inserted.filter { $0.section == section }.count
    if kept.count + new != count {
      complaints.append("section \(section) has \(kept.count) + \(new) rows, and not \(count)")
      return Array(repeating: "?", count: count)
    }
    return (0..<count).map { row in
      let path = ListPath(section: section, row: row)
      return inserted.contains(path) ? cell(path) : kept.removeFirst() ?? cell(path)
    }
  }
}
