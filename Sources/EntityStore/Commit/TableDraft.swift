/// The writes of a running commit to one entity's objects.
///
/// Only a ``DraftCore`` uses it, so exclusivity isn't checked on each access.
final class TableDraft {
  let entity: EntityDescription
  /// The changes so far; a change that was undone goes from a row to the same row.
  @exclusivity(unchecked) private(set) var changes: TableChanges

  /// The written rows by the values of a key, made at the first request and kept up to date.
  @exclusivity(unchecked) private var indexes: [[Int]: [[StoredValue]: Set<StoredValue>]] = [:]

  /// The ids that objects had before the commit, by the values of an attribute, as far as they were
  /// read together.
  @exclusivity(unchecked) private var known: [Int: [StoredValue: [StoredValue]]] = [:]
  /// The objects that were read together, as they were before the commit.
  @exclusivity(unchecked) private var knownRows: [StoredValue: EntityRow] = [:]
  /// All that was read together, an object perhaps twice.
  ///
  /// It is kept as long as the draft, since releasing a row may run code of the app.
  @exclusivity(unchecked) private var kept: [[EntityRow]] = []

  /// The first objects of the last request that had a limit.
  @exclusivity(unchecked) var firstRows: FirstRows?

  /// The written objects that a filter has matched, once there are many written ones.
  @exclusivity(unchecked) private(set) var matches: WrittenMatches?

  /// The highest id of the written objects, or 0; an insert that was undone doesn't count.
  @exclusivity(unchecked) private(set) var highestID: Int64 = 0
  /// The highest id that the entity's objects had before the commit, once it has been requested.
  @exclusivity(unchecked) var lastID: Int64?
  /// The last id that the commit was given, or nil.
  @exclusivity(unchecked) var givenID: Int64?

  init(_ entity: EntityDescription) {
    self.entity = entity
    changes = TableChanges(entity)
  }

  func change(of id: StoredValue) -> ObjectChange? { changes.change(of: id) }

  /// Undoes a write: restores what it has replaced, and returns the change that it made.
  func restore(_ change: ObjectChange, highestID: Int64) -> ObjectChange? {
    let undone = changes.set(change)
    self.highestID = highestID
    if matches != nil { noteWritten(change.id) }
    if !indexes.isEmpty { reindex(change.id, from: undone?.new, to: change.new) }
    return undone
  }

  /// Replaces the new row of an object that has a change, and returns the change before.
  func replaceNew(of id: StoredValue, with row: EntityRow?) -> ObjectChange? {
    let last = changes.replaceNew(of: id, with: row)
    if matches != nil { noteWritten(id) }
    // The object may have had an insert that was undone.
    noteID(id)
    if !indexes.isEmpty { reindex(id, from: last?.new, to: row) }
    return last
  }

  /// Sets the change of an object that has none yet.
  func add(_ change: consuming ObjectChange) {
    noteID(change.id)
    if matches != nil { noteWritten(change.id) }
    if indexes.isEmpty { return changes.add(change) }
    let (id, new) = (change.id, change.new)
    changes.add(change)
    reindex(id, from: nil, to: new)
  }

  private func noteID(_ id: StoredValue) {
    if case .integer(let id) = id, id > highestID { highestID = id }
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

  private func noteWritten(_ id: StoredValue) {
    matches?.noteWritten(id)
    // After so many writes, testing all of them again costs little more.
    if let since = matches?.since, since > 64, 2 * since > changes.count { matches = nil }
  }

  /// Keeps the written objects that match a filter now.
  func note(_ matches: WrittenMatches) { self.matches = matches }

  /// Returns the ids that objects with a key had before the commit, if they were read together.
  func knownIDs(where columns: [Int], equal values: [StoredValue]) -> [StoredValue]? {
    if known.isEmpty || columns.count != 1 { return nil }
    return known[columns[0]]?[values[0]]
  }

  /// Returns an object as it was before the commit, if it was read together with others.
  func knownRow(_ id: StoredValue) -> EntityRow? { knownRows.isEmpty ? nil : knownRows[id] }

  /// Keeps the objects that had some values of an attribute before the commit.
  func note(_ rows: [EntityRow], among values: some Sequence<StoredValue>, at column: Int) {
    kept.append(rows)
    // Reading the values may run code of the app, so it isn't done while they are accessed.
    var ids: [StoredValue: [StoredValue]] = [:]
    var found: [StoredValue: EntityRow] = [:]
    for value in values { ids[value] = [] }
    for row in rows {
      let (id, value) = (row.id(entity), row.value(at: column))
      // An app's type may read another value than the stored one. Then each is looked up later.
      if ids[value]?.append(id) == nil { return }
      found[id] = row
    }
    known[column, default: [:]].merge(ids) { _, new in new }
    knownRows.merge(found) { old, _ in old }
  }

  /// The changes without those that change nothing.
  var net: TableChanges {
    changes.hasEmptyChange
      ? TableChanges(entity, changes.all.filter { !$0.isVoid }) : changes
  }
}
