public import ListDiffing
internal import Locking

extension CacheTransactionBatch {
  /// Applies the batch to a flat list, and makes a row for each new or changed object.
  ///
  ///     batch.apply(to: &rows) { car in "\(car.model), \(car.year)" }
  ///
  /// `make` is called once for each updated object, then once for each inserted or moved object in
  /// the order of the new list. All these calls are made before the list changes. If `make` throws,
  /// the list is unchanged.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - make: A closure that returns the row for an object.
  /// - Throws: The error that `make` throws.
  /// - Precondition: As for ``/ListDiffing/ListChanges``: there are no section changes, and all
  ///   paths are in section 0 and in range.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the length of the list and *k* the number of
  ///   transactions.
  public func apply<
    List: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(
    to list: inout List, make: (Output) throws -> List.Element
  ) rethrows {
    var objects = freshObjects.makeIterator()
    try changes.apply(to: &list) { path in
      try make(Self.next(&objects, for: path))
    }
  }

  /// Applies the batch to a flat list of the objects themselves.
  ///
  /// - Parameter list: The list before the changes, which becomes the list after them.
  /// - Precondition: As for ``/ListDiffing/ListChanges``: there are no section changes, and all
  ///   paths are in section 0 and in range.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the length of the list and *k* the number of
  ///   transactions.
  public func apply<
    List: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(to list: inout List) where List.Element == Output {
    apply(to: &list) { $0 }
  }

  /// Applies the batch to a sectioned list, and makes a row for each new or changed object.
  ///
  ///     batch.apply(to: &list, header: { titles[$0] }) { car in car.model }
  ///
  /// Both closures are called before the list changes. If one throws, the list is unchanged.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - header: A closure that returns the header of an inserted, moved or updated section at its
  ///     new position.
  ///   - make: A closure that returns the row for an object.
  /// - Throws: The error that `header` or `make` throws.
  /// - Precondition: As for ``/ListDiffing/ListChanges``: all positions are in range.
  /// - Complexity: O(*n* + *s* + *k* log *k*), where *n* is the number of rows in sections that
  ///   gain or lose rows, *s* the number of sections and *k* the number of transactions.
  public func apply<Header, Row>(
    to list: inout [ListSection<Header, Row>],
    header: (Int) throws -> Header, make: (Output) throws -> Row
  ) rethrows {
    var objects = freshObjects.makeIterator()
    try changes.apply(to: &list, header: header) { path in
      try make(Self.next(&objects, for: path))
    }
  }

  /// Throws unless the batch leads from a list of one shape to a list of another.
  ///
  /// - Parameters:
  ///   - old: The number of rows in each section before.
  ///   - new: The number of rows in each section after.
  /// - Throws: The first broken rule in the list of ``/ListDiffing/ListChanges``.
  public func validate(old: [Int], new: [Int]) throws(ListChangesError) {
    try changes.validate(old: old, new: new)
  }

  /// Applies the batch to a flat list if it fits, for batches from an untrusted source.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - make: A closure that returns the row for an object.
  /// - Throws: A ``/ListDiffing/ListChangesError``, or the error that `make` throws. The list is
  ///   unchanged then.
  public func applyIfValid<
    List: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(
    to list: inout List, make: (Output) throws -> List.Element
  ) throws {
    try changes._validate(flatCount: list.count)
    try apply(to: &list, make: make)
  }

  /// Applies the batch to a sectioned list if it fits, for batches from an untrusted source.
  ///
  /// - Parameters:
  ///   - list: The list before the changes, which becomes the list after them.
  ///   - header: A closure that returns the header of an inserted, moved or updated section at its
  ///     new position.
  ///   - make: A closure that returns the row for an object.
  /// - Throws: A ``/ListDiffing/ListChangesError``, or the error that `header` or `make` throws.
  ///   The list is unchanged then.
  public func applyIfValid<Header, Row>(
    to list: inout [ListSection<Header, Row>],
    header: (Int) throws -> Header, make: (Output) throws -> Row
  ) throws {
    try changes._validate(old: list.map(\.rows.count))
    try apply(to: &list, header: header, make: make)
  }

  /// The objects that the changes request, in the order of the requests: updates, then inserts and
  /// moves.
  private var freshObjects: [CacheTransaction<Output>] {
    let added =
      moves.transactions.isEmpty
      ? inserts.sorted
      : (inserts.transactions + moves.transactions).sorted { left, right in
        guard let left = left.updatedIndexPath, let right = right.updatedIndexPath else {
          return false
        }
        return left < right
      }
    return updates.sorted + added
  }

  private static func next(
    _ objects: inout some IteratorProtocol<CacheTransaction<Output>>, for path: ListPath
  ) -> Output {
    guard let transaction = objects.next(), transaction.updatedIndexPath == path else {
      mistake(
        "The batch holds two changes of row \(path); validate(old:new:) tells more")
    }
    return transaction.object
  }
}
