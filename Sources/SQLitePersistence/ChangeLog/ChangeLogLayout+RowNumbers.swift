@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension ChangeLogLayout {
  /// True if SQLite gives an id to an object that is inserted without one.
  ///
  /// The id is the row number then.
  var givesIDs: Bool { identity.count == 1 && places[identity[0]].type == .integer }

  /// SQLite's name for the row number, or nothing if columns use all of its names.
  var rowNumberNames: [String] { (try? entity.rowNumberName()).map { [$0] } ?? [] }
}
