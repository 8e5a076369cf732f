/// What a commit holds until its locks are gone: whoever lets go of the last hold of an observer, of a
/// listener or of a row runs what a user's deinit does.
struct HeldByCommit {
  var transaction: (any StorageTransaction)?
  var draft: DraftCore?
  var changes: NetChanges?
  var concerned: [(sequence: Int, observer: any CommitObserver)] = []
  var deliveries: [(sequence: Int, prepared: PreparedDelivery)] = []
  var listeners: [ConcernedListener] = []
  var dropped: [StorePlace.Dropped] = []
  var forgotten: [Commit] = []
}
