internal import EntityStore

extension ResultPlan {
  /// The hash of what a client is given of a row: its attributes and the included values.
  ///
  /// Equal rows have equal hashes, also in the results of two queries that include the same.
  func feedHash(of row: ResultRow) -> UInt64 {
    var hash = feedSeed
    for column in query.entity.columns.indices { hash.combine(row.row.value(at: column)) }
    for value in included.namedValues { hash.combine(row.values?.all[value.place] ?? .null) }
    return hash.value
  }
}

extension SectionKey {
  /// The hash of what a client is given of a section.
  var feedHash: UInt64 { FeedHash(ofSection: identity, title: title).value }
}
