internal import EntityStore

/// A summary of the rows below a node of a result's trees.
///
/// It is immutable. It is made when it is requested, and then stays with the node.
final class ResultSummary: Sendable, Equatable {
  /// The summaries of the fields that the query aggregates.
  let fields: [FieldSummary]

  init(_ fields: [FieldSummary]) {
    var fields = fields
    for index in fields.indices { fields[index].normalize() }
    self.fields = fields
  }

  static func == (a: ResultSummary, b: ResultSummary) -> Bool {
    a === b || a.fields == b.fields
  }

  /// Returns true if a field has other results than the field at its place in another summary.
  ///
  /// Sums that differ only in digits that are rounded away have the same results.
  func differs(from other: ResultSummary, at places: [Int]) -> Bool {
    self !== other
      && places.indices.contains { index in
        let (mine, others) = (fields[index], other.fields[places[index]])
        return mine != others && !mine.showsSame(as: others)
      }
  }
}
