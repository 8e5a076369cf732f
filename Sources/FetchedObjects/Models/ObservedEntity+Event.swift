extension ObservedEntity {
  /// A change of an observed object.
  ///
  ///     let token = car.didChange.subscribe { event in
  ///       print(event.isDeleted ? "deleted" : "\(event.after.model)")
  ///     }
  public struct Event: Sendable {
    /// The object before the event, or nil if it was absent.
    ///
    /// If it was deleted then, this is the last value.
    public let before: EntityView<E>?
    /// The object after the event.
    ///
    /// If it is deleted now, this is the last value.
    public let after: EntityView<E>
    /// The existence of the object before the event.
    public let stateBefore: ObservedEntityState
    /// The existence of the object after the event.
    public let state: ObservedEntityState
    /// The versions of the commits in the event.
    public let versions: ClosedRange<Int64>

    /// True if the object was deleted before the event.
    public var wasDeleted: Bool { stateBefore == .deleted }

    /// True if the object is deleted after the event.
    public var isDeleted: Bool { state == .deleted }

    /// Creates the typed form of an event, or nil if there is no object after it.
    init?(_ event: PendingChanges<EntityContent>.Event, _ plan: EntityPlan) {
      guard let after = event.after.row else { return nil }
      before = event.before.row.map { EntityView($0, plan.included) }
      self.after = EntityView(after, plan.included)
      stateBefore = event.before.state
      state = event.after.state
      versions = event.versions
    }
  }
}
