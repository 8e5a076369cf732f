/// The completions of one update.
///
/// They are called once, when the adapter has finished the update and the host has answered for
/// each of its passes.
@MainActor
final class ListUpdateCompletions {
  private var completions: [(Bool) -> Void]
  private var isFinished = true

  /// The number of passes without an answer, plus one for the adapter itself.
  private var awaited = 1

  init(_ completions: [(Bool) -> Void]) {
    self.completions = completions
  }

  /// Returns the completion of one more pass.
  ///
  /// It counts once, even if the host calls it again or releases it without a call.
  func next() -> (Bool) -> Void {
    awaited += 1
    let answer = Answer(self)
    return { answer.give($0) }
  }

  func fail() { isFinished = false }

  /// Records that the adapter has finished.
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
