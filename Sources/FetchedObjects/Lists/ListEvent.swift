internal import EntityStore
internal import ListDiffing
internal import Locking

/// A change from one version of a list to the next, as it is delivered to the lists derived from
/// it.
struct ListEvent<Row: Sendable>: Sendable {
  let before: any ListContent<Row>
  let lazyChanges: LazyChanges
  let after: any ListContent<Row>
  let versions: ClosedRange<Int64>
  /// The event of a model that led to this one.
  let origin: EventOrigin
  /// True if any row and section may move, because the list is now that of another query.
  let isWhole: Bool
  /// The group of this event, if several events are delivered as one.
  ///
  /// They concern different sections.
  let group: EventGroup?

  var changes: ListChanges { lazyChanges.value }
}

extension ListEvent {
  init(
    before: any ListContent<Row>, changes: ListChanges, after: any ListContent<Row>,
    versions: ClosedRange<Int64>, origin: EventOrigin, isWhole: Bool, group: EventGroup?
  ) {
    self.init(
      before: before, lazyChanges: LazyChanges(known: changes), after: after, versions: versions,
      origin: origin, isWhole: isWhole, group: group)
  }
}
