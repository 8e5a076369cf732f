/// What a commit holds until its locks are gone: whoever lets go of the last hold of an observer, of a
/// listener or of a row runs what a user's deinit does.
struct HeldByCommit {
  /// The version that it made.
  var version: Int64?
  var transaction: (any StorageTransaction)?
  var draft: DraftCore?
  var changes: NetChanges?
  var concerned: [ObserverRegistry.Concerned] = []
  var deliveries: [SequencedDelivery] = []
  var listeners: [ConcernedListener] = []
  var dropped: [StorePlace.Dropped] = []
  var forgotten: [Commit] = []
  /// The same of what others had committed, which is taken in first.
  var foreign: [HeldByCommit] = []
}
