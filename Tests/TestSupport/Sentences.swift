extension String {
  /// Whether a program that has stopped at a mistake names it so.
  ///
  ///     #expect(text(result).says("A batch of 0 rows; use 1 or more"))
  ///
  /// In release a precondition stops the program without a word.
  public func says(_ sentence: String) -> Bool {
    #if DEBUG
    contains(sentence)
    #else
    true
    #endif
  }
}
