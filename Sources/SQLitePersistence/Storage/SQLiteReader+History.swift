@_spi(Storage) internal import EntityStore

extension SQLiteReader {
  /// Returns the commits that a file keeps for undo.
  ///
  /// A commit that can't be read isn't returned, and neither are those before it: they couldn't be
  /// undone without it. That is so if the commit's entity has other columns now, or if somebody
  /// else has deleted the object.
  func keptHistory(limit: Int) throws -> KeptHistory {
    try check()
    var layouts: [[UInt8]: ChangeLogLayout] = [:]
    for entity in connection.known {
      let layout = try connection.statements(of: entity).logLayout
      layouts[layout.name] = layout
    }
    return KeptHistory(
      limit: limit, undo: try commits(isRedo: false, limit, layouts),
      redo: try commits(isRedo: true, limit, layouts))
  }

  private func commits(
    isRedo: Bool, _ limit: Int, _ layouts: [[UInt8]: ChangeLogLayout]
  ) throws -> [KeptHistory.Entry] {
    var commits: [KeptHistory.Entry] = []
    // The objects as they are once the commits so far have been undone.
    var objects: [ObjectID: EntityRow?] = [:]
    var isReadable = true
    try connection.query(
      "SELECT version, name, old, new FROM signalbox_history WHERE isRedo = ? ORDER BY version DESC LIMIT ?"
    ).run([.integer(isRedo ? 1 : 0), .integer(Int64(limit))]) {
      guard isReadable, case .text(let name) = $0.value(1), case .bytes(let old) = $0.value(2),
        case .bytes(let new) = $0.value(3),
        let row = HistoryRow(old: old, new: new, layout: { layouts[$0] }),
        let changes = try self.changes(row, &objects)
      else { return isReadable = false }
      commits.append(
        KeptHistory.Entry(version: $0.integer(0), name: name, changes: NetChanges(changes)))
    }
    return commits.reversed()
  }

  /// Returns the changes of a commit, or nil if they can't be undone.
  private func changes(
    _ row: HistoryRow, _ objects: inout [ObjectID: EntityRow?]
  ) throws -> [ObjectChange]? {
    var changes: [ObjectChange] = []
    do {
      for change in row.changes {
        let found =
          try objects[change.objectID] ?? self.row(of: change.layout.entity, id: change.id)
        guard let known = try change.change(of: found) else { return nil }
        objects[change.objectID] = .some(known.old)
        changes.append(known)
      }
    } catch StoreError.unreadable {
      return nil
    }
    return changes
  }
}
