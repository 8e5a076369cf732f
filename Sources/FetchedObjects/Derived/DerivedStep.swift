public import ListDiffing

/// One step of an event of a ``DerivedModel``.
///
///     func apply(_ step: DerivedStep<CarRow>) {
///       if case .row(let row, let change) = step { print(row.title, change) }
///     }
public typealias DerivedStep<Row: Diffable & Sendable> = EventStep<
  DerivedEvent<Row>, DerivedSection<Row>, Row
>

extension DerivedEvent {
  /// Calls `body` with each step of the event.
  ///
  /// A step is made just before its call.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changes and *n* the number of rows.
  func forEachStep(_ body: (DerivedStep<Row>) -> Void) {
    EventStep.forEach(
      of: self, changes, section: { ($1 ? after : before).sections[$0] },
      row: { ($1 ? after : before)[$0] }, body)
  }
}
