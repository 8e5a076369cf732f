public import ListDiffing
internal import Locking
internal import Relays

/// The opaque source of derived lists.
public struct ListUpstream<Row: Diffable & Sendable>: Sendable {
  /// The list, which is held.
  let owner: any AnyObject & Sendable
  let dependents: ListDependents<Row>
  /// The derived objects of the models that the list comes from.
  let turns: [ListTurns]
  let place: DeliveryQueue
  let shown: @Sendable () -> any ListContent<Row>
  let error: @Sendable () -> (any Error)?
  let errors: Signal<any Error>
}
