@_spi(Storage) package import EntityStore

extension Set<Renames.Claim> {
  /// Returns the names that an entity has in versions of the app that the program doesn't know.
  package func later(
    than entity: EntityDescription, besides known: [EntityDescription]
  ) -> [FoldedName] {
    let former = FoldedName(entity.name)
    let known = Set<FoldedName>(known.map { FoldedName($0.name) })
    return filter { $0.former == former && !known.contains($0.name) }.map(\.name)
  }
}
