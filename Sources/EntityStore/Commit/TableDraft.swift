/// The writes of a running commit to one entity's objects.
///
/// Only a ``DraftCore`` uses it, so exclusivity isn't checked on each access.
final class TableDraft {
  let entity: EntityDescription
  /// The changes so far; a change that was undone goes from a row to the same row.
  @exclusivity(unchecked) private(set) var changes: TableChanges

  /// The written rows by the values of a key, made at the first request and kept up to date.
  @exclusivity(unchecked) private var indexes: [[Int]: [[StoredValue]: Set<StoredValue>]] = [:]

  /// The highest id that the entity's objects have had, once it has been requested.
  @exclusivity(unchecked) private(set) var lastID: Int64?
  /// True if the commit was given ids of the entity.
  private(set) var hasGivenIDs = false

  init(_ entity: EntityDescription) {
    self.entity = entity
    changes = TableChanges(entity)
  }

  /// Returns the change of an object, or nil.
  func change(of id: StoredValue) -> ObjectChange? { changes.change(of: id) }

  /// Sets the change of an object, and returns the one before.
  func set(_ change: ObjectChange) -> ObjectChange? {
    let old = changes.set(change)
    if lastID != nil { noteID(change.id) }
    if !indexes.isEmpty { reindex(change.id, from: old?.new, to: change.new) }
    return old
  }

  /// Replaces the new row of an object that has a change, and returns the change before.
  func replaceNew(of id: StoredValue, with row: EntityRow?) -> ObjectChange? {
    let last = changes.replaceNew(of: id, with: row)
    if !indexes.isEmpty { reindex(id, from: last?.new, to: row) }
    return last
  }

  /// Sets the change of an object that has none yet.
  func add(_ change: consuming ObjectChange) {
    if lastID != nil { noteID(change.id) }
    if indexes.isEmpty { return changes.add(change) }
    let (id, new) = (change.id, change.new)
    changes.add(change)
    reindex(id, from: nil, to: new)
  }

  /// Notes that an id was given, which is higher than all before.
  func give(_ id: Int64) {
    lastID = id
    hasGivenIDs = true
  }

  private func noteID(_ id: StoredValue) {
    if case .integer(let id) = id, let last = lastID, id > last { lastID = id }
  }

  /// The highest id of the written objects, or 0.
  var highestID: Int64 {
    var highest: Int64 = 0
    for change in changes.all {
      if case .integer(let id) = change.id, id > highest { highest = id }
    }
    return highest
  }

  private func reindex(_ id: StoredValue, from old: EntityRow?, to new: EntityRow?) {
    // The keys are copied. A loop over the dictionary itself would hold it, so each write would
    // copy it.
    for columns in Array(indexes.keys) {
      // Reading the values may run code of the app, so it isn't done while the index is accessed.
      let (gone, come) = (old?.values(at: columns), new?.values(at: columns))
      if let gone { indexes[columns]?[gone]?.remove(id) }
      if let come { indexes[columns]?[come, default: []].insert(id) }
    }
  }

  /// Returns the ids of the written objects whose attributes at `columns` are `values`.
  func ids(where columns: [Int], equal values: [StoredValue]) -> Set<StoredValue> {
    if indexes[columns] == nil {
      var index: [[StoredValue]: Set<StoredValue>] = [:]
      for change in changes.all {
        if let row = change.new { index[row.values(at: columns), default: []].insert(change.id) }
      }
      indexes[columns] = index
    }
    return indexes[columns]?[values] ?? []
  }

  /// The changes without those that change nothing.
  var net: TableChanges {
    changes.haveVoid
      ? TableChanges(entity, changes.all.filter { !$0.isVoid }) : changes
  }
}
