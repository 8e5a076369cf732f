@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// Returns the hash of the data of a row that a client receives: its attributes, included
  /// values, and the ids of the objects on included paths.
  ///
  /// Equal rows have equal hashes, even in the results of two queries that include the same values.
  func feedHash(of row: ResultRow) -> UInt64 {
    var hash = feedSeed
    for column in query.entity.columns.indices { hash.combine(row.row.value(at: column)) }
    for value in included.namedValues { hash.combine(row.values?.all[value.place] ?? .null) }
    for place in includedIDs { hash.combine(row.values?.all[place] ?? .null) }
    return hash.value
  }
}

extension SectionKey {
  /// The hash of the data of a section that a client receives.
  var feedHash: UInt64 { FeedHash(ofSection: identity, title: title).value }
}
