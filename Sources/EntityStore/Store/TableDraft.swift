/// What a commit has written to one entity's objects so far.
final class TableDraft {
  let entity: EntityDescription
  private(set) var rows: [StoredValue: ObjectChange] = [:]

  /// The written rows by the values of a key, made when first asked for and kept up to date.
  private var indexes: [[Int]: [[StoredValue]: Set<StoredValue>]] = [:]

  init(_ entity: EntityDescription) { self.entity = entity }

  /// Sets the change of an object, or takes it back, and gives the one before.
  @discardableResult
  func set(_ change: ObjectChange?, id: StoredValue) -> ObjectChange? {
    let old: ObjectChange?
    if let change {
      old = rows.updateValue(change, forKey: id)
    } else {
      old = rows.removeValue(forKey: id)
    }
    if !indexes.isEmpty { reindex(id, from: old?.new, to: change?.new) }
    return old
  }

  private func reindex(_ id: StoredValue, from old: EntityRow?, to new: EntityRow?) {
    // The keys are copied: going through the dictionary itself would hold it, and each write copy it.
    for columns in Array(indexes.keys) {
      if let old { indexes[columns]?[old.values(at: columns)]?.remove(id) }
      if let new { indexes[columns]?[new.values(at: columns), default: []].insert(id) }
    }
  }

  /// The ids of the written objects whose attributes at `columns` are `values`.
  func ids(where columns: [Int], equal values: [StoredValue]) -> Set<StoredValue> {
    if indexes[columns] == nil {
      var index: [[StoredValue]: Set<StoredValue>] = [:]
      for change in rows.values {
        if let row = change.new { index[row.values(at: columns), default: []].insert(change.id) }
      }
      indexes[columns] = index
    }
    return indexes[columns]?[values] ?? []
  }

  /// The changes that are any.
  var net: [StoredValue: ObjectChange] {
    rows.contains { $0.value.isVoid } ? rows.filter { !$0.value.isVoid } : rows
  }
}
