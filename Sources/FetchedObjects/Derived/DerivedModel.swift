public import ListDiffing
internal import Locking
public import Observation
public import Relays

/// A list that is made of others and kept up to date with them, with its own sections, paths and events.
///
///     let rows = cars.filter { $0.year > 1990 }.map { CarRow($0) }
///     let token = rows.didChange.subscribe(on: .mainActor) { event in
///       table.performBatchUpdates(event) { shown = event.after }
///     }
///
/// It is made by ``LiveList/map(_:)``, ``LiveList/filter(_:)``, ``LiveList/compactMap(_:)`` and
/// ``LiveList/concatenated(with:)``, and can be the source of another. What it shows and its events
/// change together, in the place of its source; ``LiveList`` says when. Only what can be seen makes an
/// event: none is empty.
///
/// It can be read in `withObservationTracking`, and so in a SwiftUI view, as a ``FetchedObjectsModel``
/// can: as a whole or by section.
///
/// The model holds its source. It goes when its owner drops it; subscriptions don't keep it alive.
public final class DerivedModel<Row: Diffable & Sendable>: LiveList, Observable {
  /// What keeps the list up to date; it holds the sources.
  private let engine: any AnyObject & Sendable
  private let core: DerivedCore<Row>
  private let upstreams: [any LiveUpstream]
  private let turns: [ListTurns]
  private let place: DeliveryQueue

  /// A list of what `transform` makes of the rows of another.
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

  /// A list of the sections of several lists, in the order given.
  ///
  ///     let all = DerivedModel(concatenating: [cars.map { Item($0) }, vans.map { Item($0) }])
  ///
  /// A list without sections is one section, also when empty. An event of one part is one event of the
  /// whole; what one commit changes in several parts is one event too. Two parts may have sections of one
  /// identity: ``DerivedSection/parts`` tells them apart.
  ///
  /// - Parameter parts: The lists. A list may be there twice, if the host bears rows with equal identifiers.
  /// - Precondition: There is at least one, and all deliver in one place: with `.immediate` those of one
  ///   store do.
  /// - Complexity: O(*p*) now and O(*p* + *k*) for an event of *k* changes, where *p* is the number of
  ///   parts; to read a row takes O(log *p*) more than in its part.
  public convenience init(concatenating parts: [any LiveList<Row>]) {
    self.init(upstreams: parts.map { $0.upstream })
  }

  deinit { core.end() }

  /// The list as it is shown now.
  public var snapshot: DerivedSnapshot<Row> {
    core.tracking.accessContent()
    return shown
  }

  /// What `snapshot` is, without noting that it is read.
  var shown: DerivedSnapshot<Row> { DerivedSnapshot(content: core.shown) }

  /// The sections, in order.
  public var sections: DerivedSectionList<Row> { snapshot.sections }

  /// What tells the sections apart, in their order.
  ///
  /// A view that tracks this alone is told when a section comes, goes or moves, not when rows change.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIDs: [SectionID] {
    core.tracking.accessOrder()
    return shown.sections.map(\.id)
  }

  /// The section with an id, or nil if it isn't in the list.
  ///
  /// A view that tracks this alone is told when something happens in that section, and when it comes
  /// or goes.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public func section(for id: SectionID) -> DerivedSection<Row>? {
    core.tracking.accessSection(id)
    return shown.section(for: id)
  }

  /// Each event, before `didChange`.
  ///
  /// The model shows the list after it already.
  public var willChange: Signal<DerivedEvent<Row>> { core.willChange.signal }

  /// Each event step by step: that it begins, each change, that it ends; between `willChange` and `didChange`.
  ///
  /// In each step the model shows the list after. Nothing is made as long as nobody subscribes.
  ///
  /// - Complexity: O(*k* log *n*) for each subscription to an event of *k* changes, where *n* is the number
  ///   of rows.
  public var steps: Signal<DerivedStep<Row>> {
    core.steps.signal.expand { $0.forEachStep($1) }
  }

  /// Sends each event.
  public var didChange: Signal<DerivedEvent<Row>> { core.didChange.signal }

  /// The last error of reading of a source, until a commit has been read again.
  public var error: (any Error)? {
    for upstream in upstreams {
      if let error = upstream.error() { return error }
    }
    return nil
  }

  /// Errors of reading, of all sources.
  ///
  /// The last version stays.
  public var errors: Signal<any Error> {
    upstreams.count == 1 ? upstreams[0].errors : .merge(upstreams.map(\.errors))
  }

  /// What lists that are derived from this one stand on.
  public var upstream: ListUpstream<Row> {
    ListUpstream(
      owner: self, dependents: core.dependents, turns: turns, place: place,
      shown: { [core] in core.shown }, error: { [self] in error }, errors: errors)
  }
}

/// What a derived model keeps of a source, whatever its rows are.
private protocol LiveUpstream: Sendable {
  var error: @Sendable () -> (any Error)? { get }
  var errors: Signal<any Error> { get }
}

extension ListUpstream: LiveUpstream {}
