extension ListSnapshot {
  /// A list without rows and without sections, of no store.
  package static var empty: ListSnapshot { ListSnapshot(content: ConcatenatedContent([])) }

  /// True for `empty`: every list that is derived from others has a part.
  var isOfNoStore: Bool {
    content.sectionCount == 0 && (content as? ConcatenatedContent<Row>)?.parts.isEmpty == true
  }
}
