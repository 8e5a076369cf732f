/// An observer's entry in the schedule of a store, which ends when this object is deallocated.
package final class TimeEntry: Sendable {
  private let schedule: TimeSchedule
  private let number: Int

  /// Creates the entry of an observer, which isn't kept alive.
  package init(_ observer: any TimeObserver, in store: Store) {
    schedule = store.schedule
    number = store.schedule.add(observer)
  }

  /// Makes the store call the observer at an instant, and at no other; never for infinity.
  package func wake(at instant: Double) { schedule.wake(number, at: instant) }

  /// Makes the store call the observer again after what it couldn't evaluate at an instant.
  ///
  /// The pauses become longer until `wake(at:)` is called.
  package func retry(at instant: Double) { schedule.retry(number, at: instant) }

  deinit { schedule.remove(number) }
}
