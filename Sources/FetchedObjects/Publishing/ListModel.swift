public import ListDiffing
public import Observation
public import Relays

/// A list that is kept up to date and publishes the exact changes: a ``FetchedObjectsModel``, an
/// ``IndexedObjectsModel``, or a ``DerivedModel`` made from these.
///
///     func show<List: ListModel>(_ list: List, in table: UITableView) -> SubscriptionToken {
///       list.didChange.subscribe(on: .mainActor) { event in table.performBatchUpdates(event) {} }
///     }
///
/// The list and its events change together, in the model's delivery context. During a callback the
/// model shows the list after the event, even if the store already has a later version.
///
/// A model can be read in `withObservationTracking`, and so in a SwiftUI view. The view is notified
/// of the next change in the model's delivery context, when everything in that context shows the
/// change, and before `willChange`. A reader of ``section(for:)`` or ``sectionIDs`` is notified
/// only of changes that concern these. A reader of anything else is notified of every change.
///
/// Two things aren't here, because not every list can have them. The two models of a query can be
/// paused, and can get another query or window; a derived list shows what its sources show.
///
/// Only the types of this module conform to it.
public protocol ListModel<Row>: AnyObject, Observable, Sendable {
  /// The type of the list's rows.
  associatedtype Row: Diffable & Sendable

  /// The part that all list models have in common.
  var core: ListCore<Row> { get }
}

extension ListModel {
  /// One version of the list.
  public typealias Snapshot = ListSnapshot<Row>

  /// A change of the list.
  public typealias Event = ListEvent<Row>

  /// The list that is shown now.
  public var snapshot: ListSnapshot<Row> {
    let core = core
    core.tracking.accessContent()
    return core.shown
  }

  /// The value of `snapshot`, without noting the read.
  package var shown: ListSnapshot<Row> { core.shown }

  /// The number of rows.
  public var count: Int { snapshot.count }

  /// The sections, in order.
  public var sections: SectionList<Row> { snapshot.sections }

  /// The ids of the sections, in their order.
  ///
  /// A view that tracks only this is notified when a section is inserted, deleted or moved. It
  /// isn't notified when rows change.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIDs: [SectionID] {
    let core = core
    core.tracking.accessOrder()
    let content = core.shown.content
    return (0..<content.sectionCount).map { content.header($0).id }
  }

  /// Returns the section with an id, or nil if it isn't in the list.
  ///
  /// A view that tracks only this is notified when the section is inserted or deleted, and when
  /// something changes in it. It isn't notified when other sections or the section's position
  /// change.
  ///
  /// - Complexity: The same as that of ``ListSnapshot/section(for:)``.
  public func section(for id: SectionID) -> SectionInfo<Row>? {
    let core = core
    core.tracking.accessSection(id)
    return core.shown.section(for: id)
  }

  /// The titles of the section index: the first characters of the sections' titles, in upper case,
  /// each once, in order.
  ///
  /// A section titled "" has none.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// Returns the section that an entry of the section index leads to.
  ///
  /// - Precondition: `index` is a position in `sectionIndexTitles`, and `title` is the title at
  ///   that position.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    snapshot.section(forSectionIndexTitle: title, at: index)
  }

  /// Returns the row at a path.
  ///
  /// - Precondition: The path is in the list.
  /// - Complexity: The same as that of a ``ListSnapshot``.
  public func row(at path: ListPath) -> Row { snapshot[path] }

  /// Returns the first row with an identifier, or nil if it isn't in the list.
  ///
  /// - Complexity: The same as that of ``ListSnapshot/path(for:)``.
  public func row(for id: Row.DiffIdentifier) -> Row? { snapshot.row(for: id) }

  /// Returns the path of the first row with an identifier, or nil if it isn't in the list.
  ///
  /// - Complexity: The same as that of ``ListSnapshot/path(for:)``.
  public func path(for id: Row.DiffIdentifier) -> ListPath? { snapshot.path(for: id) }

  /// A signal that sends each event before `didChange`.
  ///
  /// The model already shows the list after the event.
  public var willChange: Signal<ListEvent<Row>> { core.signals.willChange.signal }

  /// A signal that sends the steps of each event: its beginning, each change, and its end.
  ///
  /// They are sent between `willChange` and `didChange`. In each step the model shows the list
  /// after the event. No step is made as long as there is no subscriber.
  ///
  /// - Complexity: O(*k* log *n*) for each subscription to an event of *k* changes, where *n* is
  ///   the number of rows.
  public var steps: Signal<EventStep<Row>> {
    core.signals.steps.signal.expand { $0.forEachStep($1) }
  }

  /// A signal that sends each event.
  public var didChange: Signal<ListEvent<Row>> { core.signals.didChange.signal }

  /// The last read error of the model or of a model that it is made from, or nil once a commit has
  /// been read again.
  public var error: (any Error)? {
    let core = core
    core.tracking.accessError()
    return core.error
  }

  /// A signal that sends read errors of the model, or of the models that it is made from.
  ///
  /// The last list stays. The next commit to any object of an entity that the model reads makes it
  /// read the list again. A derived list sends each error once, after the model that has it.
  public var errors: Signal<any Error> { core.errors }
}
