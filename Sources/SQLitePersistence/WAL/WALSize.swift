/// How long the WAL is, and when it is to be checkpointed.
struct WALSize {
  /// What is to be done.
  enum Step {
    case nothing
    /// Another thread is to checkpoint.
    case ask
    /// The thread that commits is to checkpoint.
    case checkpoint
  }

  /// How many bytes of the WAL stay when it begins again: with pages of 4 KB more than it has when commits checkpoint
  /// it themselves, so that it isn't made shorter and longer all the time.
  static let mostBytes = 5000 * 4120

  /// How many pages it had after the last commit.
  var length: Int32 = 0
  /// How many pages it may have before another thread checkpoints it.
  var long: Int32 = 1000
  /// How many it may have before commits wait for that.
  var most: Int32 = 4000
  /// How often a commit has checkpointed.
  var checkpoints = 0
  /// How many pages it had when a checkpoint was last asked for, and last tried.
  private var asked: Int32 = 0
  private var tried: Int32 = 0

  /// What a commit is to do about it, and no more of that until it has grown a good deal.
  mutating func measure() -> Step {
    // It has begun again.
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
