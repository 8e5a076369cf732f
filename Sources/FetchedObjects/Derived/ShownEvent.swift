package import ListDiffing

/// An event of a model, as it is shown before any callback in the model's delivery context (F13).
package struct ShownEvent<Snapshot: Sendable>: Sendable {
  package let before: Snapshot
  package let after: Snapshot
  let lazyChanges: LazyChanges

  /// The changes, which are computed on access.
  package var changes: ListChanges { lazyChanges.value }
}
