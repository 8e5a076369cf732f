internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// The reads of a model that `withObservationTracking` tracks, of the whole and of each section.
///
/// As long as the model hasn't been read, each event costs one look at an atomic word.
final class ListTracking: Sendable {
  /// The tracked parts, created at the first read.
  private final class Places: Sendable {
    let parts = ObservedParts()
    let error = ObservedPlace()
    let query = ObservedPlace()
  }

  private let places = Locked<Places?>(nil)
  private let wasRead = AtomicWord(0)
  /// The thread that reports another query, or 0.
  private let reporter = AtomicWord(0)

  /// True if this thread is reporting another query.
  var isReportingQuery: Bool { reporter.load() == CurrentThread.token }

  /// True if the shown list is tracked, so that changes have to be reported.
  ///
  /// A read without tracking doesn't count, nor does a tracker that has been notified.
  var isInUse: Bool { known?.parts.isTracked ?? false }

  /// True if anything has been read, with or without tracking.
  var hasBeenRead: Bool { wasRead.load() != 0 }

  private var known: Places? { wasRead.load() != 0 ? places.withLock { $0 } : nil }

  private var made: Places {
    if let known { return known }
    let new = Places()
    return places.withLock { places in
      if let places { return places }
      places = new
      wasRead.store(1)
      return new
    }
  }

  // MARK: Reading

  /// Notes that the shown list is about to be read.
  func accessContent() { made.parts.access(.content) }

  /// Notes that the ids of the sections are about to be read.
  func accessOrder() { made.parts.access(.order) }

  /// Notes that one section is about to be read.
  func accessSection(_ id: SectionID) { made.parts.access(.section(id)) }

  /// Notes that the error is about to be read.
  func accessError() { made.error.access() }

  /// Notes that the query is about to be read.
  func accessQuery() { made.query.access() }

  // MARK: Changing

  /// Reports the changes of an event.
  ///
  /// It is called when everything in the delivery context shows them. `isWider` is true if
  /// something has changed that the changes don't name. `unnamed` returns the sections with such a
  /// change.
  ///
  /// - Complexity: O(*k* log *n*) where *k* is the number of changes and *n* that of rows. It is
  ///   O(1) while no section has been read separately.
  func hasChanged<Row>(
    _ changes: ListChanges, from before: some ListContent<Row>, to after: some ListContent<Row>,
    isWider: Bool = false, unnamed: @autoclosure () -> [SectionID] = []
  ) {
    guard let places = known, !changes.isEmpty || isWider else { return }
    places.parts.hasChanged(.content)
    if !(changes.deletedSections.isEmpty && changes.insertedSections.isEmpty
      && changes.movedSections.isEmpty)
    {
      places.parts.hasChanged(.order)
    }
    guard places.parts.hasSections else { return }
    var ids = Set(changes.oldSections.map { before.header($0).id })
    for section in changes.newSections { ids.insert(after.header(section).id) }
    // Another query may move any section. The position is no part of a section, but the value that
    // orders it is.
    for move in changes.movedSections {
      let header = after.header(move.new)
      if header != before.header(move.old) { ids.insert(header.id) }
    }
    ids.formUnion(unnamed())
    for id in ids { places.parts.hasChanged(.section(id)) }
  }

  func queryHasChanged() {
    let last = reporter.load()
    reporter.store(CurrentThread.token)
    defer { reporter.store(last) }
    known?.query.hasChanged()
  }

  /// Reports that there is an error, or that the error has ended.
  func errorHasChanged() { known?.error.hasChanged() }
}

extension ListChanges {
  /// The old positions of the sections with changes, in the list before.
  fileprivate var oldSections: Set<Int> {
    var sections = Set(deletedSections)
    for path in deletes { sections.insert(path.section) }
    for change in moves { sections.insert(change.old.section) }
    return sections
  }

  /// The new positions of the sections with changes, in the list after.
  ///
  /// The moved sections aren't among them.
  fileprivate var newSections: Set<Int> {
    var sections = Set(insertedSections)
    for change in updatedSections { sections.insert(change.new) }
    for path in inserts { sections.insert(path.section) }
    for change in moves { sections.insert(change.new.section) }
    for change in updates { sections.insert(change.new.section) }
    return sections
  }
}
