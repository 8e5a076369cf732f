/// The functions that store and read an entity's id.
struct IdentityAccess<Root: Entity>: Sendable {
  let store: @Sendable (Root.ID) -> StoredValue
  let load: @Sendable (StoredValue) throws -> Root.ID
  /// True if every id is known to be read back as it was stored.
  let isExact: Bool
}
