internal import Locking

/// The possible differences after several consecutive steps.
///
/// A step is joined with the next one when both have about the same size, like the digits of a
/// counter. Adding steps one after the other then costs O(log *k*) for each candidate in total.
struct IndexDelta: TouchedRows {
  private var steps: [IndexStep]

  init(_ step: IndexStep) { steps = [step] }

  mutating func formUnion(_ later: IndexDelta) {
    for step in later.steps { append(step) }
  }

  private mutating func append(_ step: IndexStep) {
    steps.append(step)
    while steps.count > 1, size(steps.count - 2) <= 2 * size(steps.count - 1) {
      // These steps may have the last references to their rows.
      ReleasePool.add((steps[steps.count - 2], steps[steps.count - 1]))
      join()
    }
  }

  /// Returns the number of objects that joining a step copies.
  private func size(_ index: Int) -> Int {
    let step = steps[index]
    return step.candidates?.count ?? step.renumbered.ids.count + step.renumbered.freed.count
  }

  private mutating func join() {
    let last = steps.removeLast()
    steps[steps.count - 1] = steps[steps.count - 1].followed(by: last)
  }

  /// One step from the first snapshot to the last.
  var step: IndexStep {
    var joined = self
    while joined.steps.count > 1 { joined.join() }
    return joined.steps[0]
  }
}
