internal import FetchedObjects
internal import ListDiffing

extension FetchedDataEvent {
  init(
    _ step: ListPublisher<ListSnapshot<EntityView<Mapping.E>>, CacheRequest<Mapping.E>>.Step,
    _ mapping: Mapping
  ) {
    let after = step.after
    let changes = step.before == nil ? after.insertions : step.changes
    let batch = CacheTransactionBatch<Mapping.Object?>(
      changes: changes, objectType: step.tag.objectType,
      deleted: { path in step.before.flatMap { mapping.object($0[path]) } },
      fresh: { mapping.object(after[$0]) })
    self.init(
      reason: step.before == nil ? .reload : step.isFirst ? .filter : .change,
      before: step.before.map { FetchedDataSnapshot($0, mapping) },
      after: FetchedDataSnapshot(after, mapping), batch: batch)
  }
}
