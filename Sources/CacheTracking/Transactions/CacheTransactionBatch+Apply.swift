public import ListDiffing
internal import Locking

extension CacheTransactionBatch {
  /// Brings a flat list up to date, making a row of each object concerned.
  ///
  ///     batch.apply(to: &rows) { car in "\(car.model), \(car.year)" }
  ///
  /// `make` is called once for each updated object, then once for each inserted or moved one in the
  /// order of the new list, all before the list changes. If it throws, the list is as it was.
  ///
  /// - Parameters:
  ///   - list: The list before, which becomes the list after.
  ///   - make: Makes the row of an object.
  /// - Precondition: As for ``/ListDiffing/ListChanges``: no section changes, all paths in section 0 and in range.
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

  /// Brings a flat list of the objects themselves up to date.
  ///
  /// - Parameter list: The list before, which becomes the list after.
  /// - Precondition: As for ``/ListDiffing/ListChanges``: no section changes, all paths in section 0 and in range.
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the length of the list and *k* the number of
  ///   transactions.
  public func apply<
    List: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(to list: inout List) where List.Element == Output {
    apply(to: &list) { $0 }
  }

  /// Brings a sectioned list up to date, making a row of each object concerned.
  ///
  ///     batch.apply(to: &list, header: { titles[$0] }) { car in car.model }
  ///
  /// Both closures are called before the list changes; if one throws, the list is as it was.
  ///
  /// - Parameters:
  ///   - list: The list before, which becomes the list after.
  ///   - header: Gives the header of the section at a new position, if that is inserted, moved or updated.
  ///   - make: Makes the row of an object.
  /// - Precondition: As for ``/ListDiffing/ListChanges``: all positions are in range.
  /// - Complexity: O(*n* + *s* + *k* log *k*), where *n* is the number of rows in sections that gain or
  ///   lose rows, *s* the number of sections and *k* the number of transactions.
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
  /// - Throws: The first rule that is broken, as ``/ListDiffing/ListChanges`` lists them.
  public func validate(old: [Int], new: [Int]) throws(ListChangesError) {
    try changes.validate(old: old, new: new)
  }

  /// Brings a flat list up to date if the batch fits it; for one that comes from elsewhere.
  ///
  /// - Parameters:
  ///   - list: The list before, which becomes the list after.
  ///   - make: Makes the row of an object.
  /// - Throws: A ``/ListDiffing/ListChangesError``, or what `make` throws; the list is as it was then.
  public func applyIfValid<
    List: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(
    to list: inout List, make: (Output) throws -> List.Element
  ) throws {
    try changes._validate(flatCount: list.count)
    try apply(to: &list, make: make)
  }

  /// Brings a sectioned list up to date if the batch fits it; for one that comes from elsewhere.
  ///
  /// - Parameters:
  ///   - list: The list before, which becomes the list after.
  ///   - header: Gives the header of the section at a new position, if that is inserted, moved or updated.
  ///   - make: Makes the row of an object.
  /// - Throws: A ``/ListDiffing/ListChangesError``, or what `header` or `make` throws; the list is as it was then.
  public func applyIfValid<Header, Row>(
    to list: inout [ListSection<Header, Row>],
    header: (Int) throws -> Header, make: (Output) throws -> Row
  ) throws {
    try changes._validate(counts: list.map(\.rows.count))
    try apply(to: &list, header: header, make: make)
  }

  /// The objects that the changes ask for, in the order in which they ask: updates, then what is added.
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
