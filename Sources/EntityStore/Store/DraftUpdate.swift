/// An update of one object that has begun.
@usableFromInline struct DraftUpdate {
  @usableFromInline let row: EntityRow
  let id: StoredValue
  let table: TableDraft
  let entry: DraftCore.Entry
  /// How long the journal was.
  let mark: Int
  /// How often something had been written.
  let writes: Int
}
