internal import EntityStore
internal import Locking

extension ResultPlan {
  /// Whether the nodes of the result's trees are asked for summaries.
  var keepsSummaries: Bool { !aggregated.isEmpty }

  /// Whether two versions of a row, at the same place, contribute differently to the summaries of the
  /// nodes above it, which then mustn't be shared between snapshots that have one and the other.
  func contributesDifferently(_ old: ResultRow, _ new: ResultRow) -> Bool {
    aggregated.contains { key in
      key.value(old.row, old.values) != key.value(new.row, new.values)
    }
  }

  /// The summary of rows that follow each other.
  func summary(of rows: some Sequence<ResultRow>) -> ResultSummary {
    var fields = [FieldSummary](repeating: FieldSummary(), count: aggregated.count)
    for row in rows {
      for (index, key) in aggregated.enumerated() {
        fields[index].add(key.value(row.row, row.values))
      }
    }
    return ResultSummary(fields)
  }

  /// The summary of rows that follow each other, by those of their parts.
  func summary(of parts: [ResultSummary]) -> ResultSummary {
    var fields = [FieldSummary](repeating: FieldSummary(), count: aggregated.count)
    for part in parts {
      for index in fields.indices { fields[index].add(part.fields[index]) }
    }
    return ResultSummary(fields)
  }

  /// Where the fields that the query aggregates are in another query's summaries, or nil if that doesn't
  /// aggregate all of them.
  func aggregatedPlaces(in other: ResultPlan) -> [Int]? {
    if self === other { return Array(aggregated.indices) }
    let places = query.aggregated.compactMap { other.query.aggregated.firstIndex(of: $0) }
    return places.count == aggregated.count ? places : nil
  }

  /// The position of a field among those that the query aggregates.
  ///
  /// - Precondition: the query aggregates the field.
  func aggregatedPlace(_ field: QueryExpression) -> Int {
    guard let place = query.aggregated.firstIndex(of: field) else {
      mistake(
        "\(field) isn't aggregated; add it to the query with .aggregating { … } to sum it up here")
    }
    return place
  }
}
