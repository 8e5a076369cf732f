import Observation
import TestSupport

/// Counts the redraws of a view that reads something: at most one after each drawing.
@MainActor func drawing(_ read: @MainActor () -> Void) -> Counter {
  let redraws = Counter()
  withObservationTracking(read) { redraws.add() }
  return redraws
}
