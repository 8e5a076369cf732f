public import ListDiffing

/// What happened to an index-only result: the result before, the result after, and the exact changes
/// between.
///
/// It carries no objects and no ids.
public struct IndexedObjectsEvent: Sendable {
  /// The result before.
  public let before: IndexedObjectsSnapshot
  /// The changes.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The result after, which the model shows while the event is told.
  public let after: IndexedObjectsSnapshot
  /// The versions of the commits that the event tells of.
  public let versions: ClosedRange<Int64>
}
