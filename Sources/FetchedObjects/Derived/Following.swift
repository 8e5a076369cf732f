/// The version of a list that follows others; their events wait while the first one is made.
struct Following<Event: Sendable, Version: Sendable>: Sendable {
  /// The version after the last event; nil while the first one is being made.
  private var version: Version?
  /// The events that have arrived meanwhile.
  private var early: [Event] = []

  /// Returns the version that an event leads on from, or keeps the event until there is one.
  mutating func take(_ event: Event) -> Version? {
    if version == nil { early.append(event) }
    return version
  }

  /// Removes and returns the events that have arrived while a version was made.
  ///
  /// If there are none, that version is followed from now on, and the result is nil.
  mutating func begin(_ first: Version) -> [Event]? {
    if early.isEmpty {
      version = first
      return nil
    }
    defer { early = [] }
    return early
  }

  mutating func follow(_ next: Version) { version = next }
}
