internal import ListDiffing
public import Relays

/// A filter that turns the batches of a list into those of a shorter list, which omits some of its
/// rows.
///
///     var recent = BatchFilter<Car, CarCell> { $0.year > 1990 ? CarCell($0) : nil }
///     table.apply(recent.batch(of: batch))
///
/// The paths are those of the shorter list. If a row becomes excluded, that is a delete, with the
/// last result for the row. If it becomes included again, that is an insert. Sections are those of
/// the longer list, even if all their rows are excluded.
///
/// The filter must receive every batch, starting with the first one, in order.
public struct BatchFilter<Object: Sendable, Result: Sendable>: Sendable {
  private let transform: @Sendable (Object) -> Result?
  /// Returns true for equal results, whose updates are left out; nil if all updates are kept.
  private let areEqual: (@Sendable (Result, Result) -> Bool)?
  /// The result for each row of the longer list, or nil before the first batch.
  private var rows: [ListSection<Void, Result?>]?

  /// Creates a filter of a list that hasn't had a batch yet.
  ///
  /// - Parameter transform: A closure that returns the result for an object, or nil to exclude the
  ///   row. It is called once for each inserted or changed object.
  public init(_ transform: @escaping @Sendable (Object) -> Result?) {
    self.init(transform, areEqual: nil)
  }

  fileprivate init(
    _ transform: @escaping @Sendable (Object) -> Result?,
    areEqual: (@Sendable (Result, Result) -> Bool)?
  ) {
    self.transform = transform
    self.areEqual = areEqual
  }

  /// Returns the batch for the shorter list, which may be empty.
  ///
  /// - Precondition: The batch continues from the last one.
  /// - Complexity: O(*n* + *s* + *k* log *k*), where *n* is the number of rows in the affected
  ///   sections, *s* the number of sections and *k* the number of transactions.
  public mutating func batch(
    of batch: CacheTransactionBatch<Object>
  ) -> CacheTransactionBatch<Result> {
    let changes = batch.changes
    // The list before the first batch is empty: one section if it is flat, otherwise none.
    let isSectioned = changes.deletedSections.isEmpty && !changes.insertedSections.isEmpty
    let before = rows ?? (isSectioned ? [] : [ListSection(header: (), rows: [])])
    var fresh: [ListPath: Result?] = [:]
    for transaction in batch.transactions {
      guard let path = transaction.updatedIndexPath else { continue }
      fresh[path] = .some(transform(transaction.object))
    }
    var after = before
    changes.apply(to: &after, header: { _ in () }, row: { fresh[$0] ?? nil })
    rows = after
    let keepsAll = areEqual != nil
    return shortened(
      batch, KeptRows(before, keepsAll: keepsAll), KeptRows(after, keepsAll: keepsAll))
  }

  private func shortened(
    _ batch: CacheTransactionBatch<Object>, _ before: KeptRows, _ after: KeptRows
  ) -> CacheTransactionBatch<Result> {
    var (before, after) = (before, after)
    var result = CacheTransactionBatch<Result>(
      sectionChanges: batch.sectionChanges, filterValue: batch.filterValue)
    for transaction in batch.transactions {
      let old = transaction.oldIndexPath.flatMap { before.kept(at: $0) }
      let new = transaction.updatedIndexPath.flatMap { after.kept(at: $0) }
      let change: RowChange
      switch (old, new) {
      case (nil, nil): continue
      case (let old?, nil): change = .delete(from: old.path)
      case (nil, let new?): change = .insert(at: new.path)
      case (let old?, let new?) where transaction.changeType == .move:
        change = .move(from: old.path, to: new.path)
      case (let old?, let new?):
        if areEqual?(old.object, new.object) == true { continue }
        change = .update(from: old.path, to: new.path)
      }
      guard let object = new?.object ?? old?.object else { continue }
      result.add(
        CacheTransaction(object: object, objectType: transaction.objectType, change: change))
    }
    return result
  }

  /// The rows of a list that aren't excluded, with their paths in the shorter list.
  private struct KeptRows {
    let list: [ListSection<Void, Result?>]
    /// True if no row is excluded, so that nothing is counted.
    let keepsAll: Bool
    /// For each requested section, the number of included rows before each row.
    private var counts: [Int: [Int]] = [:]

    init(_ list: [ListSection<Void, Result?>], keepsAll: Bool) {
      self.list = list
      self.keepsAll = keepsAll
    }

    mutating func kept(at path: ListPath) -> (object: Result, path: ListPath)? {
      guard let object = list[path.section].rows[path.row] else { return nil }
      if keepsAll { return (object, path) }
      if counts[path.section] == nil {
        var count = 0
        counts[path.section] = list[path.section].rows.map { row in
          defer { count += row == nil ? 0 : 1 }
          return count
        }
      }
      let row = counts[path.section]?[path.row] ?? 0
      return (object, ListPath(section: path.section, row: row))
    }
  }
}

extension CacheTransactionBatch {
  /// Returns the batch with the transformed objects, at the same paths.
  ///
  /// - Throws: The error that `transform` throws.
  /// - Complexity: O(*k*), where *k* is the number of transactions.
  public func mapObjects<Result>(
    _ transform: (Output) throws -> Result
  ) rethrows -> CacheTransactionBatch<Result> {
    var batch = CacheTransactionBatch<Result>(
      sectionChanges: sectionChanges, filterValue: filterValue)
    for transaction in transactions {
      batch.add(
        CacheTransaction(
          object: try transform(transaction.object), objectType: transaction.objectType,
          change: transaction.change))
    }
    return batch
  }
}

extension Subscribable {
  /// Returns a signal of the batches with transformed objects, at the same paths.
  ///
  ///     tracker.batches.mapObjects { CarCell($0) }.subscribe(on: .mainActor) { table.apply($0) }
  ///
  /// - Parameter transform: A closure that is called once for each transaction and subscription, in
  ///   the context of the delivery.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func mapObjects<Object, Result>(
    _ transform: @escaping @Sendable (Object) -> Result
  ) -> Signal<CacheTransactionBatch<Result>> where Output == CacheTransactionBatch<Object> {
    map { $0.mapObjects(transform) }
  }

  /// Returns a signal of the batches of a shorter list.
  ///
  /// It omits the objects for which `transform` returns nil.
  ///
  /// Paths are those of the shorter list; see ``BatchFilter``. An empty batch is published only as
  /// the answer to a request: if it is the first one, if the longer list's batch is empty, or if it
  /// has another tag than the last one.
  ///
  /// - Parameter transform: A closure that is called once for each inserted or changed object and
  ///   each subscription, in the context of the delivery.
  /// - Returns: A signal that does nothing until it is subscribed to.
  /// - Precondition: Each subscription receives all batches, starting with the first one: subscribe
  ///   before ``CacheTracker/start(with:)``.
  /// - Complexity: That of ``BatchFilter/batch(of:)``, for each batch.
  public func compactMapObjects<Object, Result>(
    _ transform: @escaping @Sendable (Object) -> Result?
  ) -> Signal<CacheTransactionBatch<Result>> where Output == CacheTransactionBatch<Object> {
    filtered(by: BatchFilter(transform))
  }

  /// Returns a signal of the batches of a shorter list.
  ///
  /// It omits the objects for which `isIncluded` returns false.
  ///
  /// Paths are those of the shorter list; see ``compactMapObjects(_:)``.
  ///
  /// - Parameter isIncluded: A closure that is called once for each inserted or changed object and
  ///   each subscription.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func filterObjects<Object>(
    _ isIncluded: @escaping @Sendable (Object) -> Bool
  ) -> Signal<CacheTransactionBatch<Object>> where Output == CacheTransactionBatch<Object> {
    compactMapObjects { isIncluded($0) ? $0 : nil }
  }

  /// Returns a signal of the batches, without updates that leave a row's object equal.
  ///
  /// A tracker updates a row if any value of its stored object has changed. This signal leaves out
  /// an update if the row's new object equals its last one:
  ///
  ///     tracker.batches.removeUnchanged().subscribe(on: .mainActor) { table.apply($0) }
  ///
  /// Inserts, deletes and moves stay. An empty batch is published under the same conditions as by
  /// ``compactMapObjects(_:)``. Each subscription keeps the last object of every row.
  ///
  /// - Returns: A signal that does nothing until it is subscribed to.
  /// - Precondition: Each subscription receives all batches, starting with the first one: subscribe
  ///   before ``CacheTracker/start(with:)``.
  /// - Complexity: That of ``BatchFilter/batch(of:)``, for each batch.
  public func removeUnchanged<Object: Equatable>() -> Signal<CacheTransactionBatch<Object>>
  where Output == CacheTransactionBatch<Object> {
    filtered(by: BatchFilter<Object, Object>({ $0 }, areEqual: { $0 == $1 }))
  }

  private func filtered<Object, Result>(
    by filter: BatchFilter<Object, Result>
  ) -> Signal<CacheTransactionBatch<Result>> where Output == CacheTransactionBatch<Object> {
    scan(FilterStep(filter)) { step, batch in step.next(batch) }
      .compactMap { $0.isPublished ? $0.batch : nil }
  }
}

/// A filter in the middle of a signal's batches, with the last batch that it made.
private struct FilterStep<Object: Sendable, Result: Sendable>: Sendable {
  private var filter: BatchFilter<Object, Result>
  /// Nil before the first batch.
  private(set) var batch: CacheTransactionBatch<Result>?
  private(set) var isPublished = false

  init(_ filter: BatchFilter<Object, Result>) { self.filter = filter }

  func next(_ batch: CacheTransactionBatch<Object>) -> FilterStep {
    var step = self
    let result = step.filter.batch(of: batch)
    step.batch = result
    // The answer to a request may be empty.
    step.isPublished =
      !result.isEmpty || batch.isEmpty || self.batch == nil
      || self.batch?.filterValue != batch.filterValue
    return step
  }
}
