internal import EntityStore
internal import ListDiffing
internal import Locking

/// Events that are told as one.
final class EventGroup: Sendable {}
