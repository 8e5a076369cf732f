/// A reader that can read objects together before they are looked up one by one.
package protocol AheadReader: StorageReader {
  /// Reads together the objects with some ids, if the storage is far away.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func readAhead(_ ids: [StoredValue], of entity: EntityDescription) throws
}
