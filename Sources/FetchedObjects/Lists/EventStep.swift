internal import EntityStore
public import ListDiffing

/// One step of an event, for hosts that want to be told that changes begin, then each change, then that
/// they end.
///
///     let token = cars.steps.subscribe(on: .mainActor) { [weak self] step in
///       switch step {
///       case .begin: self?.tableView.beginUpdates()
///       case .section(let section, let change): self?.show(section, change)
///       case .row(let car, let change): self?.show(car, change)
///       case .end: self?.tableView.endUpdates()
///       }
///     }
///
/// The steps come from the finished event, so in all of them the model shows the list after (F2). The old
/// paths and positions of all steps refer to the list before, the new ones to the list after, as in the
/// delegate of a fetched results controller: they are those of one batch, and not of steps that are carried
/// out one by one. A host that takes one step at a time uses ``/ListDiffing/ListPass/steps``.
///
/// They come in this order: updated rows and sections; deleted rows, the last first; deleted sections, the last
/// first; inserted and moved sections, the first first; inserted and moved rows, the first first, as in
/// ``/ListDiffing/ListChanges/inOrder``. A subscription
/// gets all steps of an event in one go, or none: one that is made meanwhile begins with the next event.
public enum EventStep<Event: Sendable, Section: Sendable, Row: Sendable>: Sendable {
  /// The steps of an event begin.
  case begin(Event)

  /// What happened to a section, which is given as it is after the event, or as it was if it went.
  case section(Section, SectionChange)

  /// What happened to a row, which is given as it is after the event, or as it was if it went.
  case row(Row, RowChange)

  /// All has been told of an event.
  case end(Event)
}
