@_spi(Storage) package import EntityStore

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
