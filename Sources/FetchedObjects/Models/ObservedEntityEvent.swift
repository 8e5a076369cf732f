public import EntityStore

/// What happened to an observed object.
public struct ObservedEntityEvent<E: Entity>: Sendable {
  /// The object before; if it was deleted then, as it was last; nil if it was absent.
  public let before: EntityView<E>?
  /// The object after; if it is deleted now, as it was last.
  public let after: EntityView<E>
  /// Whether the object was there before.
  public let stateBefore: ObservedEntityState
  /// Whether the object is there now.
  public let state: ObservedEntityState
  /// The versions of the commits that the event tells of.
  public let versions: ClosedRange<Int64>

  /// Whether the object was deleted before.
  public var wasDeleted: Bool { stateBefore == .deleted }

  /// Whether the object is deleted now.
  public var isDeleted: Bool { state == .deleted }

  /// The typed form of an event, which always has a content after it.
  init?(_ event: PendingChanges<EntityContent>.Event, _ plan: EntityPlan) {
    guard let after = event.after.row else { return nil }
    before = event.before.row.map { EntityView($0, plan.included) }
    self.after = EntityView(after, plan.included)
    stateBefore = event.before.state
    state = event.after.state
    versions = event.versions
  }
}
