@_spi(Storage) package import EntityStore

extension EntityDescription {
  package var quotedName: String { SQL.quoted(name) }

  package func quotedColumns(of attributes: some Sequence<Int>) -> String {
    sqlColumns(of: Array(attributes)).map(\.quotedName).joined(separator: ", ")
  }
}
