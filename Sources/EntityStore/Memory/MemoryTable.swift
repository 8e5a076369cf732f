/// The rows of one entity, and the indexes that find them.
struct MemoryTable: Sendable {
  private(set) var rows: RowTable
  /// The indexes, one for each of `EntityDescription.lookupKeys`.
  private(set) var indexes: ContiguousArray<OrderedIndex>

  /// The index of words, if the schema has a rule `.fullText`.
  private(set) var words: WordIndex?

  init(_ entity: EntityDescription) {
    rows = RowTable(entity)
    words = entity.fullText.isEmpty ? nil : WordIndex(entity)
    indexes = ContiguousArray(entity.lookupKeys.map { OrderedIndex($0, of: entity) })
  }

  /// Returns the index that begins with these attributes, or nil.
  func index(of columns: [Int]) -> OrderedIndex? {
    indexes.first { $0.columns.starts(with: columns) }
  }

  func hasRoom(for changes: TableChanges) -> Bool {
    // Usually there is room even if all are new.
    rows.hasRoom(for: changes.count)
      || rows.hasRoom(for: changes.all.count { $0.old == nil && $0.new != nil })
  }

  /// Applies the changes to the rows and the indexes.
  ///
  /// Rows that change their place in an index are first removed from it, while the table has the
  /// old rows. Then they are inserted again by the new ones.
  mutating func apply(_ changes: TableChanges, _ free: inout FreeSlots) {
    let indexed = indexes.indices
    // If a large part changes, the indexes are built again.
    let isRebuilt = changes.count > 64 && changes.count > rows.count / 4
    var moved: [[Int]] = indexes.map { _ in [] }
    var slots: [Int] = []
    var reworded: [Int] = []
    if (!indexes.isEmpty || words != nil) && !isRebuilt {
      let entity = changes.entity
      for change in changes.all {
        guard let old = change.old, let slot = rows.slot(of: change.id) else { continue }
        for index in indexed
        where !(change.new?.hasSame(indexes[index].columns, as: old, entity) ?? false) {
          indexes[index].remove(slot, rows)
          if change.new != nil { moved[index].append(slot) }
        }
        if let columns = words?.columns, !(change.new?.hasSame(columns, as: old, entity) ?? false) {
          words?.remove(slot, rows)
          if change.new != nil { reworded.append(slot) }
        }
      }
    }
    rows.beginChanges()
    changes.all.withUnsafeBufferPointer { all in
      // The loop uses positions, so that no change is copied.
      for place in all.indices {
        switch (rows.slot(of: all[place].id), all[place].new) {
        case (let slot?, let new?): rows.replace(slot, with: new)
        case (let slot?, nil):
          rows.remove(slot)
          free.giveBack(slot)
        case (nil, let new?):
          let slot = free.take()
          rows.insert(new, at: slot)
          slots.append(slot)
        case (nil, nil): break
        }
      }
    }
    rows.endChanges()
    if isRebuilt {
      words?.rebuild(rows)
    } else if words != nil {
      for slot in reworded + slots { words?.insert(slot, rows) }
    }
    for index in indexed {
      if isRebuilt {
        indexes[index].rebuild(rows)
      } else {
        for slot in moved[index] + slots { indexes[index].insert(slot, rows) }
      }
    }
  }
}
