/// The cost of the last change, for the status line.
struct OwnershipWork: Hashable {
  private(set) var touched = 0
  private(set) var written = 0
  private(set) var microseconds: Int?
  private var committedAt: ContinuousClock.Instant?
  /// True if a commit caused the batch.
  ///
  /// Another filter isn't a commit.
  private var isCommit = false
  private var isPending = false

  /// Records a batch that has been applied and will be drawn.
  mutating func begin(touched: Int, committedAt: ContinuousClock.Instant?) {
    self.touched = touched
    isCommit = committedAt != self.committedAt
    self.committedAt = committedAt
    isPending = true
  }

  /// Records that the batch has been drawn.
  ///
  /// It returns false if there was no batch.
  mutating func end(written: Int, at time: ContinuousClock.Instant) -> Bool {
    guard isPending else { return false }
    isPending = false
    self.written = written
    microseconds =
      isCommit ? committedAt.map { Int($0.duration(to: time) / .microseconds(1)) } : nil
    return true
  }

  /// The cost as a text, such as `touched 2, drew 4 lines, 310 µs from commit to drawn`.
  var text: String {
    let time = microseconds.map { ", \($0) µs from commit to drawn" } ?? ""
    return "touched \(touched), drew \(written) lines" + time
  }
}
