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

  /// Returns true if a field differs from the field at its place in another summary.
  func differs(from other: ResultSummary, at places: [Int]) -> Bool {
    self !== other && places.indices.contains { fields[$0] != other.fields[places[$0]] }
  }
}
