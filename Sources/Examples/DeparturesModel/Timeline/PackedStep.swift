/// A step in eight bytes, with the same order as steps.
///
/// A year has more than a million steps.
package struct PackedStep: Comparable, Sendable {
  private let bits: UInt64

  /// The first bit of each part: minutes since the start of the timeline, flight, kind, and the
  /// number of minutes by which a delay is announced ahead.
  private enum Shift {
    static let time: UInt64 = 41
    static let flight: UInt64 = 18
    static let kind: UInt64 = 15
  }

  private static let mostMinutes = 1 << 23
  private static let mostFlights = 1 << 23
  private static let mostAhead = 1 << 15

  /// Creates a packed step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - start: A minute that isn't later than any step of the timeline.
  package init(_ step: Step, after start: Minute) {
    let time = step.time - start
    var ahead = 0
    if case .delay(let until) = step.kind { ahead = until - step.time }
    precondition(
      (0..<Self.mostMinutes).contains(time) && (0..<Self.mostFlights).contains(step.flight)
        && (0..<Self.mostAhead).contains(ahead),
      "A timeline holds 15 years and 8 million flights, and not \(step)")
    bits =
      UInt64(time) << Shift.time | UInt64(step.flight) << Shift.flight
      | UInt64(step.kind.rank) << Shift.kind | UInt64(ahead)
  }

  package static func < (left: PackedStep, right: PackedStep) -> Bool { left.bits < right.bits }

  /// The number of minutes since the start of the timeline.
  package var time: Int { Int(bits >> Shift.time) }

  /// Returns the step, for a timeline with this start.
  package func step(after start: Minute) -> Step {
    let minute = start + time
    let ahead = Int(bits & (1 << Shift.kind - 1))
    return Step(
      time: minute, flight: Int(bits >> Shift.flight & (1 << (Shift.time - Shift.flight) - 1)),
      kind: Step.Kind(rank: Int(bits >> Shift.kind & 7), until: minute + ahead))
  }
}
