/// A group of events that are delivered as one.
final class EventGroup: Sendable {}
