/// An update of one object that has begun and not ended.
@usableFromInline struct DraftUpdate {
  let row: EntityRow
  /// True if the object had been written to when the update began.
  let isWritten: Bool
  let id: StoredValue
  let table: TableDraft
  /// The length of the journal when the update began.
  @usableFromInline let journalCount: Int
  /// The draft's number of writes when the update began.
  let writes: Int

  /// The row, for code that is inlined into an app.
  @usableFromInline var _box: RowBox { row.box }
}
