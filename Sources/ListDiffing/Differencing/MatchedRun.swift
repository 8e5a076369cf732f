/// A run of rows that follow each other in both of two lists.
@usableFromInline
struct _MatchedRun: BitwiseCopyable {
  /// The positions of the first row in the old list and in the new one.
  @usableFromInline var old: Int32
  @usableFromInline var new: Int32

  @usableFromInline var count: Int32

  /// The rank of the run among all runs in the order of the old list, if they are ranked.
  @usableFromInline var oldRank: Int32 = 0

  @inlinable
  init(old: Int, new: Int, count: Int) {
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
  }

  /// Returns true if a row of the old list and a row of the new list directly follow the run.
  func isFollowed(by old: Int32, _ new: Int32) -> Bool {
    old == self.old &+ count && new == self.new &+ count
  }
}
