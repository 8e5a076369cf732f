internal import ListDiffing

extension FeedPage<FeedValues> {
  /// Creates the whole of a list of one row that isn't an object's.
  ///
  /// Its cursor follows from the row alone, so equal rows have equal cursors.
  package init(of row: FeedValues, feed: UInt64) {
    let values = row.namesAndValues
    var hash = FeedHash(ofRowsWith: values.map(\.name))
    for value in values { hash.combine(value.value) }
    let section = FeedSection(.only)
    var sum = FeedSum(of: section.hash)
    sum.append(FeedSum(of: hash.value))
    self.init(
      cursor: FeedCursor(feed: feed, version: 0, sum: sum.value),
      news: .reset([ListSection(header: section, rows: [Row(content: row, hash: hash.value)])]))
  }
}
