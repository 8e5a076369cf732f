@_spi(Storage) internal import EntityStore
internal import Locking

extension ResultPlan {
  /// True if the nodes of the result's trees are asked for summaries.
  var keepsSummaries: Bool { !aggregated.isEmpty }

  /// Returns true if two versions of a row contribute differently to the summaries above it.
  ///
  /// Both versions are at the same place. If this is true, the nodes above must not be shared
  /// between a snapshot with one version and a snapshot with the other.
  func contributesDifferently(_ old: ResultRow, _ new: ResultRow) -> Bool {
    aggregated.contains { key in
      key.value(old.row, old.values) != key.value(new.row, new.values)
    }
  }

  /// Returns the summary of consecutive rows.
  func summary(of rows: some Sequence<ResultRow>) -> ResultSummary {
    var fields = [FieldSummary](repeating: FieldSummary(), count: aggregated.count)
    for row in rows {
      for (index, key) in aggregated.enumerated() {
        fields[index].add(key.value(row.row, row.values), isNumber: areNumbers[index])
      }
    }
    return ResultSummary(fields)
  }

  /// Returns the summary of consecutive rows, made of the summaries of their parts.
  func summary(of parts: [ResultSummary]) -> ResultSummary {
    var fields = [FieldSummary](repeating: FieldSummary(), count: aggregated.count)
    for part in parts {
      for index in fields.indices { fields[index].add(part.fields[index]) }
    }
    return ResultSummary(fields)
  }

  /// Returns the positions of the aggregated fields in another query's summaries.
  ///
  /// It returns nil if the other query doesn't aggregate all of them.
  func aggregatedPlaces(in other: ResultPlan) -> [Int]? {
    if self === other { return Array(aggregated.indices) }
    let places = query.aggregated.compactMap { other.query.aggregated.firstIndex(of: $0) }
    return places.count == aggregated.count ? places : nil
  }

  /// Returns the position of a field among those that the query aggregates.
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
