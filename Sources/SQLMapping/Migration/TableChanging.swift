@_spi(Storage) package import EntityStore

/// The change that a table needs to fit its schema, as far as its rows are checked for it.
package protocol TableChanging {
  associatedtype Found: FoundColumn
  var entity: EntityDescription { get }
  /// The sources of the columns' values, in the order of the schema.
  var sources: [ColumnSource<Found>] { get }
  /// The names of columns that the schema doesn't have and doesn't drop.
  var unknown: [String] { get }
  var changesIdentity: Bool { get }
  /// The unique keys that rows may break.
  var newKeys: [[Int]] { get }
}
