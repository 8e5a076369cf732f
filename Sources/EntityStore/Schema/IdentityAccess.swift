/// How an entity's id is stored and read.
struct IdentityAccess<Root: Entity>: Sendable {
  let store: @Sendable (Root.ID) -> StoredValue
  let load: @Sendable (StoredValue) throws -> Root.ID
  /// Whether an id is known to come back as it was stored.
  let isExact: Bool
}
