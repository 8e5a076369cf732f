public import ListDiffing
internal import Locking

// Lists that are made of a list. `DerivedModel` has the rules.
extension ListModel {
  /// Returns a list of the rows that `transform` makes of each row.
  ///
  ///     struct CarRow: Diffable, Equatable {
  ///       let diffIdentifier: Int
  ///       let title: String
  ///     }
  ///     let rows = cars.map { CarRow(diffIdentifier: $0.id, title: "\($0.model), \($0.year)") }
  ///
  /// It has the sections and the order of its source. A change that the view model doesn't show
  /// makes no update, and no event if nothing else changes. A row that moves is reported as a move
  /// even if its view model is equal. A row whose identifier changes is deleted and inserted.
  ///
  /// `transform` is called once for each row now. Later it is called once for each row that was
  /// inserted, moved or updated. It is never called for other rows, and not again for subscribers
  /// or derived lists. All rows are made now and not when they are first shown, for two reasons: an
  /// event has to compare a row with the previous one, and two threads that read a row could
  /// otherwise call `transform` twice.
  ///
  /// - Parameter transform: Makes a row. ``DerivedModel`` describes the thread that calls
  ///   it.
  /// - Returns: A model that holds this one.
  /// - Complexity: O(*n*) now and O(*k* log *n*) for an event of *k* changes, where *n* is the
  ///   number of rows of this list.
  public func map<Output: Diffable & Sendable>(
    _ transform: @escaping @Sendable (Row) -> Output
  ) -> DerivedModel<Output> {
    DerivedModel(self, RowDerivation(kind: .map, transform: transform))
  }

  /// Returns a list of the rows that meet a condition, in the same order.
  ///
  ///     let recent = cars.filter { $0.year > 2000 }
  ///
  /// It has its own paths and events. A section without rows disappears, and appears again with its
  /// first row. The section of a list without sections always stays. A row that begins to meet the
  /// condition is inserted, and a row that ceases to meet it is deleted. A row that moved only over
  /// rows that aren't in this list hasn't moved. As in any event, as few rows move as possible, and
  /// only rows that the source's event names. If the query can express the condition, a filter of
  /// the query costs less, because it doesn't keep the rows that it leaves out.
  ///
  /// - Parameter isIncluded: The condition. It is called once for each row now, and later once for
  ///   each row that was inserted, moved or updated. ``DerivedModel`` describes the thread that
  ///   calls it.
  /// - Returns: A model that holds this one.
  /// - Complexity: O(*n*) now and O(*k* log *n*) for an event of *k* changes, where *n* is the
  ///   number of rows of this list. It keeps a few words for each row that it leaves out.
  public func filter(_ isIncluded: @escaping @Sendable (Row) -> Bool) -> DerivedModel<Row> {
    DerivedModel(self, RowDerivation(kind: .filter) { isIncluded($0) ? $0 : nil })
  }

  /// Returns a list of the rows that `transform` makes, without the rows for which it returns nil.
  ///
  ///     let priced = cars.compactMap { PricedCar($0) }
  ///
  /// It combines ``filter(_:)`` and ``map(_:)``, and keeps the promises of both.
  ///
  /// - Parameter transform: Makes a row, or nil. It is called like that of `map`.
  /// - Returns: A model that holds this one.
  /// - Complexity: The same as that of ``filter(_:)``.
  public func compactMap<Output: Diffable & Sendable>(
    _ transform: @escaping @Sendable (Row) -> Output?
  ) -> DerivedModel<Output> {
    DerivedModel(self, RowDerivation(kind: .compactMap, transform: transform))
  }

  /// Returns one list of the sections of this list, followed by those of others.
  ///
  ///     let all = cars.map { Item($0) }.concatenated(with: vans.map { Item($0) })
  ///
  /// See ``DerivedModel/init(concatenating:)``.
  ///
  /// - Parameter others: The lists that follow, in this order.
  /// - Returns: A model that holds all of them.
  /// - Precondition: All lists deliver in one delivery context.
  public func concatenated(with others: any ListModel<Row>...) -> DerivedModel<Row> {
    DerivedModel(concatenating: [self] + others)
  }
}

extension ListModel {
  /// Traps for an index-only list.
  ///
  /// Its rows are row numbers, which may change without an event.
  func mustBeDerivable() {
    mustHold(
      Row.self != IndexedRow.self,
      "An index-only list has no objects to make rows of; derive lists from a FetchedObjectsModel")
  }
}
