/// The end of a stress test that a loaded machine would draw out.
///
///     let deadline = Deadline()
///     for round in 0..<20_000 where !deadline.isOver { … }
struct Deadline: Sendable {
  private let end = ContinuousClock.now + .seconds(1)

  var isOver: Bool { ContinuousClock.now > end }
}
