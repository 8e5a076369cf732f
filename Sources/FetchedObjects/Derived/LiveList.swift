public import ListDiffing
internal import Locking
public import Relays

/// A list that is kept up to date and says exactly what changes: a ``FetchedObjectsModel``, or a
/// ``DerivedModel`` that is made of one.
///
///     let old = cars.filter { $0.year < 1990 }.map { CarRow($0) }
///     let token = old.didChange.subscribe(on: .mainActor) { event in
///       table.performBatchUpdates(event) { shown = event.after }
///     }
///
/// What is derived from a list delivers in the list's place and together with it: it shows a commit
/// before any callback of that commit runs there, and its subscribers are called after those of the
/// model it comes from, in order of creation. Pausing, resuming or another query of that model makes
/// one event here too. A derived model holds its source; subscriptions hold neither.
///
/// The closures given to `map`, `filter` and `compactMap` are called with no lock held: for the first
/// version on the thread that creates the model, later in the source's place, before the callbacks. They
/// should depend on the row alone, and read no model or store.
///
/// Only the types of this module conform to it.
public protocol LiveList<Row>: AnyObject, Sendable {
  /// What the list has for each object.
  associatedtype Row: Diffable & Sendable
  /// One version of the list.
  associatedtype Snapshot: Sendable
  /// The step from one version to the next.
  associatedtype Event: Sendable

  /// The list as it is shown now.
  var snapshot: Snapshot { get }

  /// Each event, before `didChange`; the list after it is shown already.
  var willChange: Signal<Event> { get }

  /// Sends each event.
  var didChange: Signal<Event> { get }

  /// The last error of reading, until a commit has been read again.
  var error: (any Error)? { get }

  /// Errors of reading; the last version stays.
  var errors: Signal<any Error> { get }

  /// What lists that are derived from this one stand on.
  var upstream: ListUpstream<Row> { get }
}

extension LiveList {
  /// A list of what `transform` makes of each row.
  ///
  ///     struct CarRow: Diffable, Equatable {
  ///       let diffIdentifier: Int
  ///       let title: String
  ///     }
  ///     let rows = cars.map { CarRow(diffIdentifier: $0.id, title: "\($0.model), \($0.year)") }
  ///
  /// It has the sections and the order of its source. A change that the view model doesn't show makes
  /// no update, and no event if nothing else changes; a row that moves is a move also if its view model is
  /// equal. A row whose identifier changes is deleted and inserted.
  ///
  /// `transform` is called once for each row now, and later once for each row that came, moved or was
  /// updated; never for others, and not again for subscribers or derived lists. All rows are made now
  /// rather than when they are first shown: an event has to compare a row with what it was, and two
  /// threads that read it could otherwise call `transform` twice.
  ///
  /// - Parameter transform: Makes a row; see ``LiveList`` for where it is called.
  /// - Returns: a model that holds this one.
  /// - Complexity: O(*n*) now and O(*k* log *n*) for an event of *k* changes, where *n* is the number of
  ///   rows of this list.
  public func map<Output: Diffable & Sendable>(
    _ transform: @escaping @Sendable (Row) -> Output
  ) -> DerivedModel<Output> {
    DerivedModel(upstream, .map, transform)
  }

  /// A list of the rows that meet a condition, in the same order.
  ///
  ///     let recent = cars.filter { $0.year > 2000 }
  ///
  /// Paths and events are its own. A section without rows goes and comes back with its first row; only the
  /// section of a list without sections stays. A row that begins to meet the condition is inserted, one
  /// that ceases to is deleted, and one that moved over rows which aren't here hasn't moved. As in any
  /// event as few rows move as possible, and none that the source's event doesn't name. Where the query can
  /// say it, a filter of the query costs less: it doesn't keep what it leaves out.
  ///
  /// - Parameter isIncluded: Is called once for each row now, and later once for each row that came, moved
  ///   or was updated; see ``LiveList`` for where.
  /// - Returns: a model that holds this one.
  /// - Complexity: O(*n*) now and O(*k* log *n*) for an event of *k* changes, where *n* is the number of
  ///   rows of this list. It keeps a few words for each row that it leaves out.
  public func filter(_ isIncluded: @escaping @Sendable (Row) -> Bool) -> DerivedModel<Row> {
    DerivedModel(upstream, .filter) { isIncluded($0) ? $0 : nil }
  }

  /// A list of what `transform` makes of the rows, without those of which it makes nothing.
  ///
  ///     let priced = cars.compactMap { PricedCar($0) }
  ///
  /// It is ``filter(_:)`` and ``map(_:)`` in one, and keeps the promises of both.
  ///
  /// - Parameter transform: Makes a row, or nil; it is called as that of `map`.
  /// - Returns: a model that holds this one.
  /// - Complexity: that of ``filter(_:)``.
  public func compactMap<Output: Diffable & Sendable>(
    _ transform: @escaping @Sendable (Row) -> Output?
  ) -> DerivedModel<Output> {
    DerivedModel(upstream, .compactMap, transform)
  }

  /// The sections of this list and then those of others, as one list.
  ///
  ///     let all = cars.map { Item($0) }.concatenated(with: vans.map { Item($0) })
  ///
  /// See ``DerivedModel/init(concatenating:)``.
  ///
  /// - Parameter others: The lists that follow, in this order.
  /// - Returns: a model that holds all of them.
  /// - Precondition: All deliver in one place.
  public func concatenated(with others: any LiveList<Row>...) -> DerivedModel<Row> {
    DerivedModel(upstreams: [upstream] + others.map { $0.upstream })
  }
}
