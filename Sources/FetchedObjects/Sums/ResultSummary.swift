internal import EntityStore

/// What the rows below a node of a result's trees sum up to.
///
/// It is immutable and made when it is asked for, and then stays with the node.
final class ResultSummary: Sendable, Equatable {
  /// For each field that the query aggregates, what its values sum up to.
  let fields: [FieldSummary]

  init(_ fields: [FieldSummary]) {
    var fields = fields
    for index in fields.indices { fields[index].normalize() }
    self.fields = fields
  }

  static func == (a: ResultSummary, b: ResultSummary) -> Bool {
    a === b || a.fields == b.fields
  }

  /// Whether any field differs from the one of another summary that is at its place there.
  func differs(from other: ResultSummary, at places: [Int]) -> Bool {
    self !== other && places.indices.contains { fields[$0] != other.fields[places[$0]] }
  }
}
