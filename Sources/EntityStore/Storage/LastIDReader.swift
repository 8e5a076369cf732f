/// A reader of a storage that keeps the highest ids, for copies of it.
package protocol LastIDReader: StorageReader {
  /// Returns the highest id that an object of the entity has or has had, or nil if ids aren't whole
  /// numbers.
  func lastID(of entity: EntityDescription) throws -> Int64?
}
