/// The end of a stress test that a loaded machine would draw out.
///
///     let deadline = Deadline()
///     for round in 0..<20_000 where !deadline.isOver { … }
struct Deadline: Sendable {
  private let end: ContinuousClock.Instant

  init(after duration: Duration = .milliseconds(300)) { end = .now + duration }

  var isOver: Bool { ContinuousClock.now > end }
}
