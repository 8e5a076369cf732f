package import FetchedObjects
package import ListDiffing

/// A sign for what happened to a row.
package enum RowMark: String {
  case came = "+"
  case went = "-"
  case changed = "~"
  case moved = ">"
}

/// A row that an event concerns, and what happened to it.
package struct ChangedRow<Row: Diffable & Sendable> {
  package let mark: RowMark
  package let row: Row
  package let section: SectionInfo<Row>
}

extension ListEvent {
  /// The rows that the event concerns: those that went, and then the others from top to bottom.
  package var changedRows: [ChangedRow<Row>] {
    let went = changes.deletes.map { ChangedRow(mark: .went, row: $0, in: before) }
    var others: [(path: ListPath, mark: RowMark)] = []
    others += changes.inserts.map { ($0, .came) }
    others += changes.moves.map { ($0.new, .moved) }
    others += changes.updates.map { ($0.new, .changed) }
    others.sort { $0.path < $1.path }
    return went + others.map { ChangedRow(mark: $0.mark, row: $0.path, in: after) }
  }
}

extension ChangedRow {
  fileprivate init(mark: RowMark, row path: ListPath, in list: ListSnapshot<Row>) {
    self.init(mark: mark, row: list[path], section: list.sections[path.section])
  }
}
