public import ListDiffing

/// One step of an event, for hosts that expect a call when changes begin, one for each change, and
/// one when they end.
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
/// The steps are made from a complete event. During all of them the model shows the list after the
/// event (F2). Old paths and positions refer to the list before the event, new ones to the list
/// after it, as in the delegate of a fetched results controller. Together the steps form one batch.
/// They can't be carried out one by one. A host that takes one step at a time uses
/// ``/ListDiffing/ListPresentation/Pass/steps``.
///
/// The steps have this order: updated rows and sections; deleted rows, descending; deleted
/// sections, descending; inserted and moved sections, ascending; inserted and moved rows,
/// ascending. It is the order of ``/ListDiffing/ListChanges/inOrder``. A subscription receives all
/// steps of an event in a row, or none of them. A subscription that is made during an event begins
/// with the next event.
public enum EventStep<Row: Diffable & Sendable>: Sendable {
  /// The beginning of an event's steps.
  case begin(ListEvent<Row>)

  /// The change of a section. The section is given as it is after the event, or as it was before if
  /// it was deleted.
  case section(SectionInfo<Row>, SectionChange)

  /// The change of a row. The row is given as it is after the event, or as it was before if it was
  /// deleted.
  case row(Row, RowChange)

  /// The end of an event's steps.
  case end(ListEvent<Row>)
}
