@_spi(Storage) package import EntityStore

extension EntityDescription {
  /// The columns of the table and their former names.
  package var namedColumns: [Renames.Named] {
    columns.flatMap { column in
      column.type == .list
        ? column.parts.map { part in
          // The parts of a reference begin with its name.
          let suffix = part.name.unicodeScalars.dropFirst(column.name.unicodeScalars.count)
          return Renames.Named(
            name: part.name, formerNames: column.formerNames.map { $0 + String(suffix) })
        } : [Renames.Named(name: column.name, formerNames: column.formerNames)]
    }
  }

  /// The positions of references whose objects must exist.
  package var checkedReferences: [Int] {
    references.filter { columns[$0].reference.map { !$0.isLateBound } ?? false }
  }

  /// Returns clauses with the advice of an error about a column that the schema doesn't have.
  package static func remedy(ofUnknown column: String, isMigrated: Bool) -> String {
    let renamed = "say renamedFrom: \"\(column)\" if an attribute has another name now"
    let dropped =
      "say .dropped(\"\(column)\") among the rules only if its values may be deleted, which can't "
      + "be undone"
    let first =
      isMigrated
      ? "if the migration that has just run sets it, correct the name there"
      : "update the app if a later version of it has added the column"
    return "\(first); \(renamed); \(dropped)"
  }
}
