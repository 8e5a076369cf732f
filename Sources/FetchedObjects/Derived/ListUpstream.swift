public import ListDiffing
internal import Locking
internal import Relays

/// What lists that are derived from another stand on; opaque.
public struct ListUpstream<Row: Diffable & Sendable>: Sendable {
  /// The list, to hold it.
  let owner: any AnyObject & Sendable
  let dependents: ListDependents<Row>
  /// The turns of the models that the list comes from.
  let turns: [ListTurns]
  let place: DeliveryQueue
  let shown: @Sendable () -> any ListContent<Row>
  let error: @Sendable () -> (any Error)?
  let errors: Signal<any Error>
}
