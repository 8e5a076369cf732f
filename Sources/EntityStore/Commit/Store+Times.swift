public import Relays

extension Store {
  /// Has the times of each commit of this store, once its immediate subscribers have been called.
  ///
  /// A commit is measured only while there is a subscription. Otherwise it pays for a look at their
  /// number. A commit that failed has its times, too. External commits have none.
  @_spi(Inspection) public var commitTimes: Signal<CommitTimes> { timesRelay.signal }
}
