public import EntityStore
public import ListDiffing

/// What happened to a result: the result before, the result after, and the exact changes between.
public struct FetchedObjectsEvent<E: Entity>: Sendable {
  /// The result before.
  public let before: FetchedObjectsSnapshot<E>
  /// The changes.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The result after, which the model shows while the event is told.
  public let after: FetchedObjectsSnapshot<E>
  /// The versions of the commits that the event tells of.
  public let versions: ClosedRange<Int64>
}
