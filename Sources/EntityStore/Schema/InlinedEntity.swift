/// An entity as code that is inlined into an app passes it on: such code may not use SPI.
@usableFromInline struct InlinedEntity {
  let description: EntityDescription
}

extension Schema {
  /// The schema without its type, for code that is inlined into an app.
  @usableFromInline var _entity: InlinedEntity { InlinedEntity(description: entity) }
}
