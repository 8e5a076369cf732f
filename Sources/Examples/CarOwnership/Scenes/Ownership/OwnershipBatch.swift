import ListDiffing

/// The collected changes between "will" and "did".
struct OwnershipBatch {
  /// The view models of inserted, moved and updated rows, by their new paths.
  var viewModels: [ListPath: OwnershipViewModel] = [:]
  private var deletedSections: [Int] = []
  private var insertedSections: [Int] = []
  private var movedSections: [PositionChange<Int>] = []
  private var updatedSections: [PositionChange<Int>] = []
  private var deletes: [ListPath] = []
  private var inserts: [ListPath] = []
  private var moves: [PositionChange<ListPath>] = []
  private var updates: [PositionChange<ListPath>] = []

  mutating func addRow(_ kind: ChangeKind, _ old: ListPath?, _ new: ListPath?) {
    switch (kind, old, new) {
    case (.delete, let old?, _): deletes.append(old)
    case (.insert, _, let new?): inserts.append(new)
    case (.move, let old?, let new?): moves.append(PositionChange(old: old, new: new))
    case (.update, let old?, let new?): updates.append(PositionChange(old: old, new: new))
    default: break
    }
  }

  mutating func addSection(_ kind: ChangeKind, _ old: Int?, _ new: Int?) {
    switch (kind, old, new) {
    case (.delete, let old?, _): deletedSections.append(old)
    case (.insert, _, let new?): insertedSections.append(new)
    case (.move, let old?, let new?): movedSections.append(PositionChange(old: old, new: new))
    case (.update, let old?, let new?): updatedSections.append(PositionChange(old: old, new: new))
    default: break
    }
  }

  /// The number of inserted, deleted, moved and updated rows.
  var touchedRows: Int { deletes.count + inserts.count + moves.count + updates.count }

  var changes: ListChanges {
    ListChanges(
      deletedSections: deletedSections, insertedSections: insertedSections,
      movedSections: movedSections, updatedSections: updatedSections, deletes: deletes,
      inserts: inserts, moves: moves, updates: updates)
  }
}
