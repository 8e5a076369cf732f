@_spi(Inspection) import Signalbox

/// The counts of work between two readings that an inspector shows.
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
