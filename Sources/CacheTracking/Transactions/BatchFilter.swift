internal import ListDiffing
internal import Locking
public import Relays

/// Makes of the batches of a list those of a shorter one, which leaves out some of its rows.
///
///     var recent = BatchFilter<Car, CarCell> { $0.year > 1990 ? CarCell($0) : nil }
///     table.apply(recent.batch(of: batch))
///
/// The paths are those of the shorter list. A row that comes to be left out is a delete, with what it was made into last;
/// one that no longer is, is an insert. Sections are those of the longer list, also where all their rows are left out.
///
/// It has to be given every batch, from the first one on, in order.
public struct BatchFilter<Object: Sendable, Result: Sendable>: Sendable {
  private let transform: @Sendable (Object) -> Result?
  /// What each row of the longer list was made into; nil until there has been a batch.
  private var rows: [ListSection<Void, Result?>]?

  /// Creates a filter of a list that hasn't been told yet.
  ///
  /// - Parameter transform: Makes a row's object, or nil to leave the row out. It is called once for each object that
  ///   comes or changes.
  public init(_ transform: @escaping @Sendable (Object) -> Result?) { self.transform = transform }

  /// The batch for the shorter list; it may be empty.
  ///
  /// - Precondition: The batch leads on from the last one.
  /// - Complexity: O(*n*), where *n* is the number of rows in the sections concerned.
  public mutating func batch(
    of batch: CacheTransactionBatch<Object>
  ) -> CacheTransactionBatch<Result> {
    let changes = batch.changes
    // The list before the first batch is empty: one section if it is flat, otherwise none.
    let isSectioned = changes.deletedSections.isEmpty && !changes.insertedSections.isEmpty
    let before = rows ?? (isSectioned ? [] : [ListSection(header: (), rows: [])])
    var fresh: [ListPath: Result?] = [:]
    for transactions in [
      batch.insertTransactions, batch.updateTransactions, batch.moveTransactions,
    ] {
      for transaction in transactions {
        guard let path = transaction.updatedIndexPath else { continue }
        fresh[path] = .some(transform(transaction.object))
      }
    }
    var after = before
    changes.apply(to: &after, header: { _ in () }, row: { fresh[$0] ?? nil })
    rows = after
    return shortened(batch, KeptRows(before), KeptRows(after))
  }

  private func shortened(
    _ batch: CacheTransactionBatch<Object>, _ before: KeptRows, _ after: KeptRows
  ) -> CacheTransactionBatch<Result> {
    var (before, after) = (before, after)
    var result = CacheTransactionBatch<Result>(
      sectionChanges: batch.sectionChanges, filterValue: batch.filterValue)
    for transactions in [
      batch.insertTransactions, batch.updateTransactions, batch.deleteTransactions,
      batch.moveTransactions,
    ] {
      for transaction in transactions {
        let old = transaction.oldIndexPath.flatMap { before.kept(at: $0) }
        let new = transaction.updatedIndexPath.flatMap { after.kept(at: $0) }
        let change: RowChange
        switch (old, new) {
        case (nil, nil): continue
        case (let old?, nil): change = .delete(from: old.path)
        case (nil, let new?): change = .insert(at: new.path)
        case (let old?, let new?):
          change =
            transaction.changeType == .move
            ? .move(from: old.path, to: new.path) : .update(from: old.path, to: new.path)
        }
        guard let object = new?.object ?? old?.object else { continue }
        result.add(
          CacheTransaction(object: object, objectType: transaction.objectType, change: change))
      }
    }
    return result
  }

  /// The rows of a list that aren't left out, with their paths among themselves.
  private struct KeptRows {
    let list: [ListSection<Void, Result?>]
    /// For each section that was asked for, how many rows are kept before each.
    private var counts: [Int: [Int]] = [:]

    init(_ list: [ListSection<Void, Result?>]) { self.list = list }

    mutating func kept(at path: ListPath) -> (object: Result, path: ListPath)? {
      guard let object = list[path.section].rows[path.row] else { return nil }
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
  /// The batch with what `transform` makes of each object, at the same paths.
  ///
  /// - Complexity: O(*k*), where *k* is the number of transactions.
  public func mapObjects<Result>(
    _ transform: (Output) throws -> Result
  ) rethrows -> CacheTransactionBatch<Result> {
    var batch = CacheTransactionBatch<Result>(
      sectionChanges: sectionChanges, filterValue: filterValue)
    for transactions in [
      insertTransactions, updateTransactions, deleteTransactions, moveTransactions,
    ] {
      for transaction in transactions {
        batch.add(
          CacheTransaction(
            object: try transform(transaction.object), objectType: transaction.objectType,
            change: transaction.change))
      }
    }
    return batch
  }
}

extension Subscribable {
  /// Passes on the batches with what `transform` makes of each object, at the same paths.
  ///
  ///     tracker.batches.mapObjects { CarCell($0) }.subscribe(on: .mainActor) { table.apply($0) }
  ///
  /// - Parameter transform: Called once for each transaction and subscription, where the batch is delivered.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func mapObjects<Object, Result>(
    _ transform: @escaping @Sendable (Object) -> Result
  ) -> Signal<CacheTransactionBatch<Result>> where Output == CacheTransactionBatch<Object> {
    map { $0.mapObjects(transform) }
  }

  /// Passes on the batches of the list without the objects of which `transform` makes nil, at the paths of that list.
  ///
  /// See ``BatchFilter``. A batch of which nothing is left isn't passed on, unless it is the first one.
  ///
  /// - Parameter transform: Called once for each object that comes or changes and each subscription, where the batch is
  ///   delivered.
  /// - Returns: A signal that does nothing until it is subscribed to.
  /// - Precondition: Each subscription is given all batches from the first one on: subscribe before
  ///   ``CacheTracker/start(with:)``.
  public func compactMapObjects<Object, Result>(
    _ transform: @escaping @Sendable (Object) -> Result?
  ) -> Signal<CacheTransactionBatch<Result>> where Output == CacheTransactionBatch<Object> {
    scan(FilterStep<Object, Result>(BatchFilter(transform))) { step, batch in step.next(batch) }
      .compactMap { $0.isFirst || !$0.batch.isEmpty ? $0.batch : nil }
  }

  /// Passes on the batches of the list without the objects for which `isIncluded` is false, at the paths of that list.
  ///
  /// See ``compactMapObjects(_:)``.
  ///
  /// - Parameter isIncluded: Called once for each object that comes or changes and each subscription.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func filterObjects<Object>(
    _ isIncluded: @escaping @Sendable (Object) -> Bool
  ) -> Signal<CacheTransactionBatch<Object>> where Output == CacheTransactionBatch<Object> {
    compactMapObjects { isIncluded($0) ? $0 : nil }
  }
}

/// A filter on its way through a signal's batches, and what it last made.
private struct FilterStep<Object: Sendable, Result: Sendable>: Sendable {
  private var filter: BatchFilter<Object, Result>
  private(set) var batch = CacheTransactionBatch<Result>()
  private(set) var isFirst = false
  private var count = 0

  init(_ filter: BatchFilter<Object, Result>) { self.filter = filter }

  func next(_ batch: CacheTransactionBatch<Object>) -> FilterStep {
    var step = self
    step.batch = step.filter.batch(of: batch)
    step.isFirst = count == 0
    step.count += 1
    return step
  }
}
