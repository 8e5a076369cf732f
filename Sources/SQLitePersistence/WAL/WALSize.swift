/// The length of the WAL, and the lengths at which it is checkpointed.
struct WALSize {
  /// An action that a commit has to take.
  enum Step {
    case nothing
    /// Another thread has to checkpoint.
    case ask
    /// The thread that commits has to checkpoint.
    case checkpoint
  }

  /// The number of bytes of the WAL that stay when it starts again.
  ///
  /// With pages of 4 KB, this is more than the WAL has when commits checkpoint it themselves. So it
  /// isn't truncated and extended all the time.
  static let mostBytes = 5000 * 4120

  /// The number of pages after the last commit.
  var length: Int32 = 0
  /// The number of pages that it may have before another thread checkpoints it.
  var long: Int32 = 1000
  /// The number of pages that it may have before commits wait for a checkpoint.
  var most: Int32 = 4000
  /// The number of times that a commit has checkpointed.
  var checkpoints = 0
  /// The numbers of pages when a checkpoint was last requested, and last tried.
  private var asked: Int32 = 0
  private var tried: Int32 = 0

  /// Returns the action that a commit has to take.
  ///
  /// The same action isn't returned again until the WAL has grown considerably.
  mutating func measure() -> Step {
    // The WAL has started again.
    if length < asked { asked = 0 }
    if length < tried { tried = 0 }
    if length >= most, length >= tried + (tried == 0 ? 0 : most / 4) {
      tried = length
      return .checkpoint
    }
    if length >= long, length - asked >= long {
      asked = length
      return .ask
    }
    return .nothing
  }
}
