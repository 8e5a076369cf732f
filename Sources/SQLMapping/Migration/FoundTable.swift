@_spi(Storage) package import EntityStore

/// A table as it is found.
package protocol FoundTable {
  associatedtype Column: FoundColumn
  var name: String { get }
  var columns: [Column] { get set }
  /// True if the table may be that of an entity.
  var isOwn: Bool { get }
  /// Gives a column another name in the primary key, if the key has the column.
  mutating func renameInKey(_ column: FoldedName, to new: FoldedName)
}

extension FoundTable {
  package var quotedName: String { SQL.quoted(name) }

  package func column(_ name: String) -> Column? {
    let folded = FoldedName(name)
    return columns.first { FoldedName($0.name) == folded }
  }

  /// Returns the renames that give the columns the names of an entity's attributes.
  package func renames(
    for entity: EntityDescription, _ settled: Set<Renames.Claim>
  ) -> [Renames.Rename] {
    // If several may take a name, the first one that had it takes it.
    Renames.plan(entity.namedColumns, present: columns.map(\.name), settled: settled) { $1.first }
  }

  /// Returns the table with the names of an entity's attributes.
  package func renamed(for entity: EntityDescription, _ settled: Set<Renames.Claim>) -> Self {
    var table = self
    for rename in renames(for: entity, settled) {
      let from = FoldedName(rename.from)
      for index in table.columns.indices where FoldedName(table.columns[index].name) == from {
        table.columns[index].name = rename.to
      }
      table.renameInKey(from, to: FoldedName(rename.to))
    }
    return table
  }
}
