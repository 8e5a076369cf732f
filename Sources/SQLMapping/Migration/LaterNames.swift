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

extension StorageFault {
  /// Returns the fault of a program from before an entity was renamed.
  package static func renamed(
    _ entity: EntityDescription, to name: String, place: String
  ) -> StorageFault {
    StorageFault(
      .newer,
      "\(place): a later version of the app calls \(entity.name) \(name); update the app, or, if "
        + "\(entity.name) is a new entity, open the store with all entities or, where the app has no "
        + "\(name) any more, add a migration to the list, which may drop it or do nothing")
  }
}
