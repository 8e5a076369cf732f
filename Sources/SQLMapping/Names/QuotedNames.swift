@_spi(Storage) package import EntityStore

extension EntityDescription {
  /// The name of the entity's table, in quotes.
  package var quotedName: String { SQL.quoted(name) }

  /// Returns the names of the columns of some attributes, in quotes.
  package func quotedColumns(of attributes: some Sequence<Int>) -> String {
    sqlColumns(of: Array(attributes)).map(\.quotedName).joined(separator: ", ")
  }
}
