/// An attribute without the type of its value.
@usableFromInline struct AttributePart<Root: Entity>: Sendable {
  let column: Column
  let access: ColumnAccess
  /// How a value is made of its stored form: a `ValueDecoder` of the attribute's type.
  let decoder: AnyValueDecoder
  /// How an id is stored and read, if this is the id.
  let idAccess: IdentityAccess<Root>?
}
