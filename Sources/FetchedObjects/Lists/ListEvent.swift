internal import EntityStore
internal import ListDiffing
internal import Locking

/// From one version of a list to the next, as those derived from it are told.
struct ListEvent<Row: Sendable>: Sendable {
  let before: any ListContent<Row>
  let lazyChanges: LazyChanges
  let after: any ListContent<Row>
  let versions: ClosedRange<Int64>
  /// The event of a model that this one comes of.
  let origin: EventOrigin
  /// Whether any row and section may move, since the list is another one: that of another query.
  let isWhole: Bool
  /// Names what several events are told as one; they concern different sections.
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
