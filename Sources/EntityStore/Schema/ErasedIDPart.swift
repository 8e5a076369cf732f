/// A part of a composite id without the type of its value.
@usableFromInline struct ErasedIDPart<ID: CompositeID>: @unchecked Sendable {
  // @unchecked: a key path to a property captures nothing.
  let part: Column.Part
  let storesNil: Bool
  /// True if the part is known to be read back as it was stored.
  let isExact: Bool
  let path: AnyKeyPath
  /// The type that the part refers to, if it is a reference.
  let target: String?
  let store: (ID) -> StoredValue
  /// The function that throws if no value of the part has the stored form.
  let check: @Sendable (StoredValue) throws -> Void
}
