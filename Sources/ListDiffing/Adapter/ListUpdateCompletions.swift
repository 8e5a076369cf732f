/// The completions of one update: called once, when the adapter is through with it and the host has answered for
/// each of its passes.
@MainActor
final class ListUpdateCompletions {
  private var completions: [(Bool) -> Void]
  private var isFinished = true

  /// The passes without an answer, and the adapter itself.
  private var awaited = 1

  init(_ completions: [(Bool) -> Void]) {
    self.completions = completions
  }

  /// The completion of one more pass.
  ///
  /// It counts once, also if the host calls it again or drops it.
  func next() -> (Bool) -> Void {
    awaited += 1
    let answer = Answer(self)
    return { answer.give($0) }
  }

  /// Says that the update has failed.
  func fail() { isFinished = false }

  /// Says that the adapter is through.
  func finish() { answer(true) }

  private func answer(_ isFinished: Bool) {
    self.isFinished = self.isFinished && isFinished
    awaited -= 1
    guard awaited == 0 else { return }
    let completions = completions
    self.completions = []
    for completion in completions { completion(self.isFinished) }
  }

  /// The answer of a host for one pass.
  @MainActor
  private final class Answer {
    private var completions: ListUpdateCompletions?

    init(_ completions: ListUpdateCompletions) {
      self.completions = completions
    }

    func give(_ isFinished: Bool) {
      let completions = completions
      self.completions = nil
      completions?.answer(isFinished)
    }

    deinit {
      guard let completions else { return }
      Task { @MainActor in completions.answer(false) }
    }
  }
}
