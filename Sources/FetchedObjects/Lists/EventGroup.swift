internal import EntityStore
internal import ListDiffing
internal import Locking

/// A group of events that are delivered as one.
final class EventGroup: Sendable {}
