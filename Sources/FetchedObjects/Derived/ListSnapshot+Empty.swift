extension ListSnapshot {
  /// A list without rows and without sections, of no store.
  package static var empty: ListSnapshot { ListSnapshot(content: ConcatenatedContent([])) }
}
