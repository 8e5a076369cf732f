public import EntityStore
internal import ListDiffing

/// One step of an event of a ``FetchedObjectsModel``.
///
///     func apply(_ step: FetchedObjectsStep<Car>) {
///       if case .row(let car, let change) = step { print(car.model, change) }
///     }
public typealias FetchedObjectsStep<E: Entity> = EventStep<
  FetchedObjectsEvent<E>, SectionInfo<E>, EntityView<E>
>

extension FetchedObjectsEvent {
  /// Calls `body` with each step of the event.
  ///
  /// A step is made just before its call.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changes and *n* the number of
  ///   objects.
  func forEachStep(_ body: (FetchedObjectsStep<E>) -> Void) {
    EventStep.forEach(
      of: self, changes, section: { ($1 ? after : before).sections[$0] },
      row: { ($1 ? after : before)[$0] }, body)
  }
}
