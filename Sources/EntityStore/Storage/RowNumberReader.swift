/// A reader of a storage that numbers its rows.
///
/// A list can keep the numbers, and read the objects later.
///
/// An `IndexedObjectsModel` and windows need one:
///
///     final class MyReader: RowNumberReader {
///       var rowNumberReader: (any RowNumberReader)? { self }
///       …
///     }
@_spi(Storage) public protocol RowNumberReader: StorageReader {
  /// Returns the number under which the storage keeps the object with an id, or nil.
  ///
  /// An object that isn't written to keeps its number. The number of a deleted object may be given
  /// to another one. In a storage that others write to, too, an id that is a whole number is the
  /// object's number.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none.
  func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64?

  /// Returns the numbers of the objects with some ids, in this order, with nil for an id without
  /// object.
  ///
  /// A storage that is far away asks for all of them at once.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none.
  func rowNumbers(of entity: EntityDescription, ids: [StoredValue]) throws -> [Int64?]

  /// Returns the objects with some row numbers, in this order, with nil for a number without
  /// object.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none.
  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?]

  /// Calls `body` with the row number and the values of each object of a request, in its order.
  ///
  /// It keeps no object.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none,
  ///   ``StoreError/notIndexable(entity:part:)`` if it would have to read whole objects, or the
  ///   error that `body` throws.
  /// - Precondition: the request has no limit and no offset.
  func forEachRowNumber(
    _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void) throws
}

extension RowNumberReader {
  /// Returns the numbers of the objects with some ids, asking for one after another.
  ///
  /// - Returns: The numbers in this order, with nil for an id without object.
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none.
  public func rowNumbers(of entity: EntityDescription, ids: [StoredValue]) throws -> [Int64?] {
    try ids.map { try rowNumber(of: entity, id: $0) }
  }
}

extension StorageReader {
  /// Returns this reader as one that finds rows by their numbers.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage numbers no rows.
  package func numbered() throws -> any RowNumberReader {
    guard let reader = rowNumberReader else { throw StoreError.rowNumbersUnsupported }
    return reader
  }
}
