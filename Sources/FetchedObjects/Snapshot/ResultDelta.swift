internal import EntityStore

/// The rows that a commit may concern, as they are after it; nil for those that don't belong.
struct ResultDelta: Sendable {
  struct Candidate: Sendable {
    let id: StoredValue
    let new: ResultRow?
  }

  private(set) var rows: ContiguousArray<Candidate> = []
  /// How often the filter has been evaluated.
  var conditions = 0

  /// Adds what an object, which isn't there yet, is after the commit.
  mutating func append(_ id: StoredValue, _ new: ResultRow?) {
    rows.append(Candidate(id: id, new: new))
  }
}
