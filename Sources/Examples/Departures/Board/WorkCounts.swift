import Signalbox

/// What the counters counted between two looks, as far as an inspector shows it.
struct WorkCounts: Hashable, Sendable {
  var candidates = 0
  var comparisons = 0
  var changes = 0
  var fetches = 0

  init() {}

  init(_ work: ResultWork) {
    candidates = work.candidates
    comparisons = work.comparisons
    changes = work.changes
    fetches = work.fetches
  }

  static func - (one: WorkCounts, other: WorkCounts) -> WorkCounts {
    var result = one
    result.candidates -= other.candidates
    result.comparisons -= other.comparisons
    result.changes -= other.changes
    result.fetches -= other.fetches
    return result
  }

  static func + (one: WorkCounts, other: WorkCounts) -> WorkCounts {
    one - (WorkCounts() - other)
  }
}
