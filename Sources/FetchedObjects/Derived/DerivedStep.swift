public import ListDiffing

/// One step of an event of a ``DerivedModel``.
public typealias DerivedStep<Row: Diffable & Sendable> = EventStep<
  DerivedEvent<Row>, DerivedSection<Row>, Row
>

extension DerivedEvent {
  /// Gives the steps of the event, each made when its turn comes.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changes and *n* of rows.
  func forEachStep(_ body: (DerivedStep<Row>) -> Void) {
    body(.begin(self))
    for change in changes.inOrder {
      switch change {
      case .section(let change):
        let sections = (change.newPosition == nil ? before : after).sections
        body(.section(sections[change.position], change))
      case .row(let change):
        body(.row((change.newPath == nil ? before : after)[change.path], change))
      }
    }
    body(.end(self))
  }
}
