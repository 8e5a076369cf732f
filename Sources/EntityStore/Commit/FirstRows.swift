/// The first objects of a request to a draft's storage, without those that the draft has written.
///
/// A body may read the first object of a query, delete it, and read the first one again. The
/// storage still has the deleted objects, before all others. The draft keeps these rows, so that
/// it doesn't read the deleted objects each time.
///
/// The rows are right until the body ends. The storage doesn't change meanwhile. An object that has
/// been written is no longer taken from the storage, even if the write is undone.
struct FirstRows {
  private let request: FetchPlan
  private(set) var rows: ArraySlice<EntityRow>
  /// True if the storage has no other objects of the request.
  private let areAll: Bool

  /// Reads the objects of a request, which has a limit and no offset.
  init(
    _ request: FetchPlan, from storage: any StorageReader, without changes: TableChanges
  ) throws {
    let found = try storage.rows(request)
    self.request = request
    areAll = found.count < request.limit ?? .max
    rows = found.filter { changes[$0.id] == nil }[...]
  }

  /// Returns true if another request is the same up to its limit.
  func areOf(_ other: FetchPlan) -> Bool {
    request.filter == other.filter && request.order == other.order
  }

  /// Returns the first `count` objects without a change, or nil if there are more in the storage.
  ///
  /// - Complexity: O(*n*) for *n* objects that are returned, amortized, if the body writes the
  ///   first ones. Otherwise O(*n* + *k*), where *k* is the number of kept objects.
  mutating func first(_ count: Int, without changes: TableChanges) -> [EntityRow]? {
    // A body that writes the first ones has written a part of those at the start.
    while let row = rows.first, changes[row.id] != nil { rows = rows.dropFirst() }
    var found: [EntityRow] = []
    var end = rows.startIndex
    while end < rows.endIndex, found.count < count {
      if changes[rows[end].id] == nil { found.append(rows[end]) }
      end += 1
    }
    // The written ones are dropped once there are so many that moving the others is worth it.
    let written = end - rows.startIndex - found.count
    if found.isEmpty {
      rows = rows[end...]
    } else if written > rows.count / 2 {
      rows = (found + rows[end...])[...]
    }
    return found.count == count || areAll ? found : nil
  }
}
