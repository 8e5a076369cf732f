internal import EntityStore

/// The rows that a commit may concern, after the commit; nil for objects that don't belong.
struct ResultDelta: Sendable {
  struct Candidate: Sendable {
    let id: StoredValue
    let new: ResultRow?
  }

  private(set) var rows: ContiguousArray<Candidate> = []
  /// Counts of the rows, and of evaluations of the filter.
  var work = ResultWork(commits: 1)

  mutating func reserveCapacity(_ count: Int) { rows.reserveCapacity(count) }

  /// Adds the row of an object after the commit; the object must not have been added yet.
  mutating func append(_ id: StoredValue, _ new: ResultRow?) {
    rows.append(Candidate(id: id, new: new))
    work.candidates += 1
  }
}
