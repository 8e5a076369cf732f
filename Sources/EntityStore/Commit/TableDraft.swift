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

  /// The places of changes, by the values that a key had in their old rows.
  private struct OldIndex {
    var places: [[StoredValue]: [Int]] = [:]
    /// The number of changes that are in the index.
    var seen = 0
  }

  /// The changes by the old values of a key, as far as they were requested.
  @exclusivity(unchecked) private var oldIndexes: [[Int]: OldIndex] = [:]

  /// The number of requests of which something is kept.
  private static let mostRequests = 4
  /// The first objects of the last requests that had a limit.
  @exclusivity(unchecked) private var firstRows: [FirstRows] = []
  /// The last requests for written objects, once these are many, with what matches.
  @exclusivity(unchecked) private var matches: [WrittenMatches] = []

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
    if !matches.isEmpty { noteWritten(change.id) }
    if !indexes.isEmpty { reindex(change.id, from: undone?.new, to: change.new) }
    return undone
  }

  /// Replaces the new row of an object that has a change, and returns the change before.
  func replaceNew(of id: StoredValue, with row: EntityRow?) -> ObjectChange? {
    let last = changes.replaceNew(of: id, with: row)
    if !matches.isEmpty { noteWritten(id) }
    // The object may have had an insert that was undone.
    noteID(id)
    if !indexes.isEmpty { reindex(id, from: last?.new, to: row) }
    return last
  }

  /// Sets the change of an object that has none yet.
  func add(_ change: consuming ObjectChange) {
    noteID(change.id)
    if !matches.isEmpty { noteWritten(change.id) }
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

  /// Returns the places of the changes whose old rows have the values of a key.
  ///
  /// An object's old row stays the same, so an index only grows.
  func places(ofOldWith columns: [Int], equal values: [StoredValue]) -> [Int] {
    // Reading the values may run code of the app, so it isn't done while the index is accessed.
    var index = oldIndexes.removeValue(forKey: columns) ?? OldIndex()
    while index.seen < changes.count {
      if let key = changes.all[index.seen].old?.values(at: columns) {
        index.places[key, default: []].append(index.seen)
      }
      index.seen += 1
    }
    oldIndexes[columns] = index
    return index.places[values] ?? []
  }

  // MARK: The last requests

  private func noteWritten(_ id: StoredValue) {
    let count = changes.count
    for place in matches.indices { matches[place].noteWritten(id, of: count) }
  }

  /// Removes a request, and returns it with what matches, if it is one of the last ones.
  ///
  /// It is kept again when the objects that were written since have been tested.
  func takeMatches(of filter: QueryExpression?, in order: [SortKey]) -> WrittenMatches? {
    matches.firstIndex { $0.areOf(filter, order) }.map { matches.remove(at: $0) }
  }

  /// Keeps a request, with what matches now.
  func keep(_ request: WrittenMatches) {
    matches.removeAll { $0.areOf(request.filter, request.order) }
    matches.append(request)
    if matches.count > Self.mostRequests { matches.removeFirst() }
  }

  /// Removes the first objects of a request, and returns them, if they are kept.
  func takeFirstRows(of request: FetchPlan) -> FirstRows? {
    firstRows.firstIndex { $0.areOf(request) }.map { firstRows.remove(at: $0) }
  }

  /// Keeps the first objects of a request.
  func keep(_ rows: FirstRows) {
    firstRows.append(rows)
    // Releasing them may run code of the app, which comes last.
    let gone = firstRows.count > Self.mostRequests ? firstRows.removeFirst() : nil
    withExtendedLifetime(gone) {}
  }

  // MARK: Rows that were read together

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
