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

extension ListSnapshot {
  /// The changes from an empty list to this one: insertions of all rows, and of all sections unless
  /// it is flat.
  fileprivate var insertions: ListChanges {
    let counts = rowCounts
    return ListChanges(
      insertedSections: isSectioned ? Array(counts.indices) : [],
      inserts: counts.indices.flatMap { section in
        (0..<counts[section]).map { ListPath(section: section, row: $0) }
      })
  }
}
