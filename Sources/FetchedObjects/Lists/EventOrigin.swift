internal import EntityStore
internal import ListDiffing
internal import Locking

/// One of the events of a model.
struct EventOrigin: Sendable, Hashable {
  let list: ObjectIdentifier
  let number: Int
}
