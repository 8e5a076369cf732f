internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// What `withObservationTracking` knows of a model, as a whole and by section.
///
/// As long as nobody has read the model, it is a word that is looked at with each event.
final class ListTracking: Sendable {
  /// Made when something is read for the first time.
  private final class Places: Sendable {
    let parts = ObservedParts()
    let error = ObservedPlace()
    let query = ObservedPlace()
  }

  private let places = Locked<Places?>(nil)
  private let wasRead = AtomicWord(0)

  /// Whether anybody tracks what is shown, so that changes have to be told.
  ///
  /// Who reads without tracking, or tracked and has been told, doesn't count.
  var isInUse: Bool { known?.parts.isTracked ?? false }

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

  /// Notes that what is shown is about to be read.
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

  /// Says what an event has changed, when everything in the place shows it.
  ///
  /// `isWider` says whether something has changed that the changes don't name, and `unnamed` in which
  /// sections.
  ///
  /// - Complexity: O(*k* log *n*) where *k* is the number of changes and *n* of rows; O(1) while no
  ///   section has been read by itself.
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
    ids.formUnion(unnamed())
    for id in ids { places.parts.hasChanged(.section(id)) }
  }

  /// Says that the query has changed.
  func queryHasChanged() { known?.query.hasChanged() }

  /// Says that there is an error, or that it is over.
  func errorHasChanged() { known?.error.hasChanged() }
}

extension ListHeader {
  var id: SectionID { SectionID(identity: key.identity, parts: parts) }
}

extension ListChanges {
  /// The old positions of the sections that something happened in, before.
  fileprivate var oldSections: Set<Int> {
    var sections = Set(deletedSections)
    for path in deletes { sections.insert(path.section) }
    for change in moves { sections.insert(change.old.section) }
    return sections
  }

  /// The new positions of the sections that something happened in, after.
  fileprivate var newSections: Set<Int> {
    var sections = Set(insertedSections)
    for change in movedSections { sections.insert(change.new) }
    for change in updatedSections { sections.insert(change.new) }
    for path in inserts { sections.insert(path.section) }
    for change in moves { sections.insert(change.new.section) }
    for change in updates { sections.insert(change.new.section) }
    return sections
  }
}
