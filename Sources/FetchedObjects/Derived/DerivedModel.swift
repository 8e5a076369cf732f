public import ListDiffing
internal import Relays

/// A list that is made of other lists and kept up to date with them, with its own sections, paths
/// and events.
///
///     let rows = cars.filter { $0.year > 1990 }.map { CarRow($0) }
///     let token = rows.didChange.subscribe(on: .mainActor) { event in
///       table.performBatchUpdates(event) { shown = event.after }
///     }
///
/// It is made by ``ListModel/map(_:)``, ``ListModel/filter(_:)``, ``ListModel/compactMap(_:)`` and
/// ``ListModel/concatenated(with:)``, and can be the source of another. Only visible changes make
/// an event: no event is empty.
///
/// A derived list delivers in the delivery context of its source and together with it. It shows a
/// commit before any callback of that commit runs in that context. Its subscribers are called after
/// those of the model that it comes from, in order of creation. If one commit changes several parts
/// of a concatenated list, the list's subscribers are called after those of the first changed part.
/// Pausing, resuming or another query of that model makes one event of the derived list, too. A
/// derived list has no pause of its own: it shows what its source shows.
///
/// The closures of `map`, `filter` and `compactMap` are called with no lock held. For the first
/// version, they are called on the thread that creates the model. Later they are called in the
/// source's delivery context, before the callbacks. They should depend only on the row, and read no
/// model or store.
///
/// The model holds its source. It is deallocated when its owner releases it. Subscriptions don't
/// keep it alive.
public final class DerivedModel<Row: Diffable & Sendable>: ListModel {
  /// The part that all list models have in common.
  public let core: ListCore<Row>
  /// The object that keeps the list up to date.
  ///
  /// It holds the sources.
  private let engine: any AnyObject & Sendable
  private let list: DerivedCore<Row>

  init<Derivation: ListDerivation>(
    _ source: any ListModel<Derivation.Input>, _ derivation: Derivation
  ) where Derivation.Output == Row {
    let engine = DerivationEngine(source, derivation)
    self.engine = engine
    list = engine.core
    let upstream = source.core
    core = ListCore(
      engine.core, queue: upstream.queue, notifiers: upstream.notifiers, error: { source.error })
  }

  /// Creates a list of the sections of several lists, in the given order.
  ///
  ///     let all = DerivedModel(concatenating: [cars.map { Item($0) }, vans.map { Item($0) }])
  ///
  /// A list without sections is one section, even if it is empty. An event of one part is one event
  /// of the whole list. The changes that one commit makes in several parts are one event, too. Two
  /// parts may have sections with the same identity: ``SectionInfo/parts`` distinguishes them.
  ///
  /// - Parameter parts: The lists. The same list may occur twice, if the host supports rows with
  ///   equal identifiers.
  /// - Precondition: There is at least one list. All lists deliver in one delivery context. With
  ///   `.immediate`, lists of one store do.
  /// - Complexity: O(*p*) now and O(*p* + *k*) for an event of a part with *k* changes, where *p*
  ///   is the number of parts. If one commit changes *m* parts, joining their changes takes
  ///   O(log *m*) for each. Reading a row takes O(log *p*) more than in its part.
  public init(concatenating parts: [any ListModel<Row>]) {
    let concatenation = Concatenation(parts)
    engine = concatenation
    list = concatenation.core
    core = ListCore(
      concatenation.core, queue: parts[0].core.queue, notifiers: concatenation.notifiers,
      error: { parts.lazy.compactMap { $0.error }.first })
  }

  deinit { list.end() }
}

extension ListCore {
  fileprivate convenience init(
    _ list: DerivedCore<Row>, queue: DeliveryQueue, notifiers: [WeakList<any ListNotifier>],
    error: @escaping @Sendable () -> (any Error)?
  ) {
    self.init(
      signals: list.signals, tracking: list.tracking, dependents: list.dependents,
      notifiers: notifiers, queue: queue, content: { list.shown }, error: error)
  }
}
