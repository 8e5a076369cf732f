extension Store {
  /// Makes models look at the clock again, because it was set, or because the device has slept.
  ///
  ///     await store.clockHasChanged()
  ///
  /// A model with conditions of time looks at the clock when it has waited for the next boundary,
  /// and at each commit that concerns it. A clock that is set forward or back meanwhile makes no
  /// sign. Call this when the system reports such a change. It costs little if nothing is
  /// different.
  ///
  /// When it returns, the changes are published as those of a commit are. `await flush()` waits
  /// until all models show them:
  ///
  ///     clock.advance(by: .seconds(60))  // in a test, with a ManualClock
  ///     await store.clockHasChanged()
  ///     await store.flush()
  public func clockHasChanged() async { await schedule.catchUp(self) }
}
