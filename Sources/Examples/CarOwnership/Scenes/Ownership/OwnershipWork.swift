/// What the last change cost, for the status line.
struct OwnershipWork: Hashable {
  private(set) var touched = 0
  private(set) var written = 0
  private(set) var microseconds: Int?
  private var committedAt: ContinuousClock.Instant?
  /// Whether the batch tells of a commit; another filter has none.
  private var isCommit = false
  private var isPending = false

  /// A batch has been taken over and is going to be drawn.
  mutating func begin(touched: Int, committedAt: ContinuousClock.Instant?) {
    self.touched = touched
    isCommit = committedAt != self.committedAt
    self.committedAt = committedAt
    isPending = true
  }

  /// It has been drawn; says whether it was one.
  mutating func end(written: Int, at time: ContinuousClock.Instant) -> Bool {
    guard isPending else { return false }
    isPending = false
    self.written = written
    microseconds =
      isCommit ? committedAt.map { Int($0.duration(to: time) / .microseconds(1)) } : nil
    return true
  }

  /// Such as `touched 2, drew 4 lines, 310 µs from commit to drawn`.
  var text: String {
    let time = microseconds.map { ", \($0) µs from commit to drawn" } ?? ""
    return "touched \(touched), drew \(written) lines" + time
  }
}
