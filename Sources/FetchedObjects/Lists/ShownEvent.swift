package import ListDiffing

/// An event of a list, as it is shown before any callback in the list's delivery context (F13).
///
/// Lists that are derived from the list, and other observers, take it before it is delivered.
package struct ShownEvent<Row: Diffable & Sendable>: Sendable {
  package let before: ListSnapshot<Row>
  let lazyChanges: LazyChanges
  package let after: ListSnapshot<Row>
  let versions: ClosedRange<Int64>
  /// The event of a model that led to this one.
  let origin: EventOrigin
  /// True if any row and section may move, because the list, or a part of it, is now that of
  /// another query.
  let isNewQuery: Bool
  /// The group of this event, if several events are delivered as one.
  ///
  /// They concern different sections.
  let group: EventGroup?
  /// The positions of sections that have another value of their order, although no change may name
  /// them.
  let reordered: Set<Int>

  /// The changes, which are computed on access.
  package var changes: ListChanges { lazyChanges.value }
}

extension ShownEvent {
  init(
    before: any ListContent<Row>, changes: LazyChanges, after: any ListContent<Row>,
    versions: ClosedRange<Int64>, origin: EventOrigin, isNewQuery: Bool, group: EventGroup? = nil,
    reordered: Set<Int> = []
  ) {
    self.init(
      before: ListSnapshot(content: before), lazyChanges: changes,
      after: ListSnapshot(content: after), versions: versions, origin: origin,
      isNewQuery: isNewQuery, group: group, reordered: reordered)
  }
}
