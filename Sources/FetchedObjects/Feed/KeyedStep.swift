@_spi(Storage) package import EntityStore

/// The step to the shown list, for clients that keep rows by their ids.
package struct KeyedStep: Sendable {
  /// A row that is different.
  package enum Change: Sendable {
    case insert(KeyedRow)
    /// The id of the object, its id as a field, and the fields that are different.
    case update(StoredValue, [KeyedRow.Field])
    /// The id of the object, and its id as a field.
    case delete(StoredValue, KeyedRow.Field)
  }

  private let step: FeedStep
  private let prepare: @Sendable (ResultPlan) -> KeyedRows

  init(_ step: FeedStep, _ prepare: @escaping @Sendable (ResultPlan) -> KeyedRows) {
    self.step = step
    self.prepare = prepare
  }

  /// The client's cursor after the step.
  package var cursor: FeedCursor { step.cursor }

  /// True if the version of the client is held, so that its changes are known.
  package var isKnown: Bool { step.start != nil }

  /// The number of rows of the shown list.
  package var rowCount: Int { step.view.count }

  /// Returns the rows of the shown list in a range of positions.
  ///
  /// - Complexity: O(*m* log *n*) for *m* rows of *n*.
  package func rows(in range: Range<Int>) -> [KeyedRow] {
    let rows = prepare(step.view.plan)
    return range.map { rows(step.view.row($0)) }
  }

  /// Returns the rows that are different from those of the client, each once.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects that may have changed and *n* in the list.
  package func changes() -> [Change] {
    guard let start = step.start, start.cursor != step.cursor else { return [] }
    let (before, after) = (start.view, step.view)
    let newRows = prepare(after.plan)
    let isSamePlan = before.plan === after.plan
    let oldRows = isSamePlan ? newRows : prepare(before.plan)
    return touchedObjects(from: before, to: after).compactMap { id -> Change? in
      switch (before.row(id), after.row(id)) {
      case (nil, nil): return nil
      case (nil, let new?): return .insert(newRows(new))
      case (let old?, nil): return .delete(id, oldRows.idField(old))
      case (let old?, let new?):
        if isSamePlan, !new.differs(from: old) { return nil }
        let fields = newRows(new).changes(
          since: oldRows(old), isSameQuery: isSamePlan && newRows.hasFixedNames)
        return fields.count > 1 ? .update(id, fields) : nil
      }
    }
  }
}
