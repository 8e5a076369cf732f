/// An attribute without the type of its value.
@usableFromInline struct AttributePart<Root: Entity>: Sendable {
  let column: Column
  let access: ColumnAccess
  /// The decoder of stored forms: a `ValueDecoder` of the attribute's type.
  let decoder: AnyValueDecoder
  /// The functions that store and read the id, if this is the id.
  let idAccess: IdentityAccess<Root>?
}
