public import ListDiffing
internal import Locking
public import Observation
public import Relays

/// A list that is made of other lists and kept up to date with them, with its own sections, paths
/// and events.
///
///     let rows = cars.filter { $0.year > 1990 }.map { CarRow($0) }
///     let token = rows.didChange.subscribe(on: .mainActor) { event in
///       table.performBatchUpdates(event) { shown = event.after }
///     }
///
/// It is made by ``LiveList/map(_:)``, ``LiveList/filter(_:)``, ``LiveList/compactMap(_:)`` and
/// ``LiveList/concatenated(with:)``, and can be the source of another. Its rows and its events
/// change together, in the delivery context of its source. ``LiveList`` describes the order. Only
/// visible changes make an event: no event is empty.
///
/// It can be read in `withObservationTracking`, and so in a SwiftUI view, in the same way as a
/// ``FetchedObjectsModel``: as a whole or by section.
///
/// The model holds its source. It is deallocated when its owner releases it. Subscriptions don't
/// keep it alive.
public final class DerivedModel<Row: Diffable & Sendable>: LiveList, Observable {
  /// The object that keeps the list up to date.
  ///
  /// It holds the sources.
  private let engine: any AnyObject & Sendable
  private let core: DerivedCore<Row>
  private let upstreams: [any LiveUpstream]
  private let turns: [ListTurns]
  private let place: DeliveryQueue

  /// Creates a list of the rows that `transform` makes of another list's rows.
  init<Input>(
    _ upstream: ListUpstream<Input>, _ kind: DerivationKind,
    _ transform: @escaping @Sendable (Input) -> Row?
  ) {
    let derivation = Derivation(upstream, kind, transform)
    engine = derivation
    core = derivation.core
    upstreams = [upstream]
    turns = upstream.turns
    place = upstream.place
  }

  init(upstreams: [ListUpstream<Row>]) {
    let concatenation = Concatenation(upstreams)
    engine = concatenation
    core = concatenation.core
    self.upstreams = upstreams
    turns = upstreams.flatMap(\.turns)
    place = upstreams[0].place
  }

  /// Creates a list of the sections of several lists, in the given order.
  ///
  ///     let all = DerivedModel(concatenating: [cars.map { Item($0) }, vans.map { Item($0) }])
  ///
  /// A list without sections is one section, even if it is empty. An event of one part is one event
  /// of the whole list. The changes that one commit makes in several parts are one event, too. Two
  /// parts may have sections with the same identity: ``DerivedSection/parts`` distinguishes them.
  ///
  /// - Parameter parts: The lists. The same list may occur twice, if the host supports rows with
  ///   equal identifiers.
  /// - Precondition: There is at least one list. All lists deliver in one delivery context. With
  ///   `.immediate`, lists of one store do.
  /// - Complexity: O(*p*) now and O(*p* + *k*) for an event of *k* changes, where *p* is the number
  ///   of parts. Reading a row takes O(log *p*) more than in its part.
  public convenience init(concatenating parts: [any LiveList<Row>]) {
    self.init(upstreams: parts.map { $0.upstream })
  }

  deinit { core.end() }

  /// The list that is shown now.
  public var snapshot: DerivedSnapshot<Row> {
    core.tracking.accessContent()
    return shown
  }

  /// The value of `snapshot`, without noting the read.
  var shown: DerivedSnapshot<Row> { DerivedSnapshot(content: core.shown) }

  /// The sections, in order.
  public var sections: DerivedSectionList<Row> { snapshot.sections }

  /// The ids of the sections, in their order.
  ///
  /// A view that tracks only this is notified when a section is inserted, deleted or moved. It
  /// isn't notified when rows change.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIDs: [SectionID] {
    core.tracking.accessOrder()
    return shown.sections.map(\.id)
  }

  /// Returns the section with an id, or nil if it isn't in the list.
  ///
  /// A view that tracks only this is notified when the section is inserted or deleted, and when
  /// something changes in it.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public func section(for id: SectionID) -> DerivedSection<Row>? {
    core.tracking.accessSection(id)
    return shown.section(for: id)
  }

  /// A signal that sends each event before `didChange`.
  ///
  /// The model already shows the list after the event.
  public var willChange: Signal<DerivedEvent<Row>> { core.willChange.signal }

  /// A signal that sends the steps of each event: its beginning, each change, and its end.
  ///
  /// They are sent between `willChange` and `didChange`. In each step the model shows the list
  /// after the event. No step is made as long as there is no subscriber.
  ///
  /// - Complexity: O(*k* log *n*) for each subscription to an event of *k* changes, where *n* is
  ///   the number of rows.
  public var steps: Signal<DerivedStep<Row>> {
    core.steps.signal.expand { $0.forEachStep($1) }
  }

  /// A signal that sends each event.
  public var didChange: Signal<DerivedEvent<Row>> { core.didChange.signal }

  /// The last read error of a source, or nil once a commit has been read again.
  public var error: (any Error)? {
    for upstream in upstreams {
      if let error = upstream.error() { return error }
    }
    return nil
  }

  /// A signal that sends the read errors of all sources.
  ///
  /// The last version stays.
  public var errors: Signal<any Error> {
    upstreams.count == 1 ? upstreams[0].errors : .merge(upstreams.map(\.errors))
  }

  /// The source for lists that are derived from this one.
  public var upstream: ListUpstream<Row> {
    ListUpstream(
      owner: self, dependents: core.dependents, turns: turns, place: place,
      shown: { [core] in core.shown }, error: { [self] in error }, errors: errors)
  }
}

/// The parts of a source that don't depend on the type of its rows.
private protocol LiveUpstream: Sendable {
  var error: @Sendable () -> (any Error)? { get }
  var errors: Signal<any Error> { get }
}

extension ListUpstream: LiveUpstream {}
