internal import EntityStore

/// One section of a result: its key and its rows, at least one.
final class ResultSection: Weighted {
  let key: SectionKey
  /// The slots of the rows, in their order.
  let rows: RankTree

  init(key: SectionKey, rows: RankTree) {
    self.key = key
    self.rows = rows
  }

  var weight: Int { rows.count }

  static var nodeWidth: Int { 32 }
}
