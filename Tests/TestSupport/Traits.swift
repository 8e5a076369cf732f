internal import CTestProcess
public import Testing

extension Trait where Self == ConditionTrait {
  /// For a test that takes more than two seconds, or much memory, also with the fewest rounds.
  ///
  ///     @Test(.large) func `A file of a million rows is read`() throws { … }
  ///
  /// It is skipped unless rounds are asked for, the usual ones or more:
  /// `SIGNALBOX_ROUNDS=0.1 swift test`.
  public static var large: Self {
    .enabled(if: asksForMore, "It is large: SIGNALBOX_ROUNDS=0.1 runs it.")
  }

  /// For a test that works for long on one thread at a time: the thread sanitizer has nothing to find in it.
  public static var oneThread: Self {
    .disabled(if: test_process_looks_for_races(), "It works on one thread.")
  }

  /// For a test that measures memory, of which the sanitizers take their own.
  public static var measuresMemory: Self {
    .disabled(if: test_process_is_sanitized(), "It measures memory.")
  }
}
