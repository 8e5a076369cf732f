/// A part without the type of its value.
@usableFromInline struct ErasedIDPart<ID: CompositeID>: @unchecked Sendable {
  // @unchecked: a key path to a property captures nothing.
  let part: Column.Part
  let storesNil: Bool
  /// Whether the part is known to come back as it was stored.
  let isExact: Bool
  let path: AnyKeyPath
  /// The type referred to, if the part is a reference.
  let target: String?
  let store: (ID) -> StoredValue
  /// Throws if a stored form is none of a value of the part.
  let check: @Sendable (StoredValue) throws -> Void
}
