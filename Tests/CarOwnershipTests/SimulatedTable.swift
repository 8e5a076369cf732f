import ListDiffing

/// A table that takes batches like a table view, knows what it has drawn, and says what is wrong.
///
/// It doesn't use the library's way of applying changes: it works out where everything has to be, and draws only what
/// the batch names.
struct SimulatedTable {
  typealias List = [ListSection<String, String>]

  struct Violation: Error, CustomStringConvertible {
    var description: String
  }

  /// What is on the table, as it was last drawn.
  private(set) var drawn: List

  init(_ list: List = []) { drawn = list }

  mutating func carryOut(_ changes: ListChanges, data: List) throws {
    var gone: Set<ListPath> = []
    func leave(_ path: ListPath) throws {
      guard drawn.indices.contains(path.section),
        drawn[path.section].rows.indices.contains(path.row)
      else { throw Violation(description: "there is no row \(path)") }
      guard gone.insert(path).inserted else { throw Violation(description: "\(path) goes twice") }
    }
    for path in changes.deletes + changes.moves.map(\.old) { try leave(path) }

    // Where each section that stays goes: moved ones where they say, the others in order between.
    let goneSections = Set(changes.deletedSections + changes.movedSections.map(\.old))
    var sources = [Int?](repeating: nil, count: data.count)
    for move in changes.movedSections { sources[move.new] = move.old }
    var staying = drawn.indices.filter { !goneSections.contains($0) }[...]
    for new in data.indices where sources[new] == nil && !changes.insertedSections.contains(new) {
      guard let old = staying.popFirst() else {
        throw Violation(description: "no section for \(new)")
      }
      sources[new] = old
    }
    guard staying.isEmpty else { throw Violation(description: "sections are left over") }
    for section in changes.deletedSections {
      guard
        drawn[section].rows.indices.allSatisfy({
          gone.contains(ListPath(section: section, row: $0))
        })
      else { throw Violation(description: "section \(section) goes with rows in it") }
    }

    var redrawn = drawn
    for update in changes.updates {
      guard !gone.contains(update.old) else {
        throw Violation(description: "\(update.old) is gone")
      }
      redrawn[update.old.section].rows[update.old.row] = data[update.new]
    }
    let retitled = Set(changes.updatedSections.map(\.new) + changes.movedSections.map(\.new))
    let arriving = Set(changes.inserts + changes.moves.map(\.new))
    guard arriving.count == changes.inserts.count + changes.moves.count else {
      throw Violation(description: "two rows arrive in one place")
    }
    drawn = try data.indices.map { new in
      let source = sources[new]
      var rows =
        source.map { old in
          redrawn[old].rows.indices.filter { !gone.contains(ListPath(section: old, row: $0)) }
            .map { redrawn[old].rows[$0] }
        } ?? []
      for path in arriving.filter({ $0.section == new }).sorted() {
        guard path.row <= rows.count else {
          throw Violation(description: "\(path) is beyond the end")
        }
        rows.insert(data[path], at: path.row)
      }
      guard rows.count == data[new].rows.count else {
        throw Violation(
          description: "section \(new) has \(rows.count) rows, not \(data[new].rows.count)")
      }
      let isFresh = source == nil || retitled.contains(new)
      return ListSection(
        header: isFresh ? data[new].header : source.map { drawn[$0].header } ?? "", rows: rows)
    }
  }
}
