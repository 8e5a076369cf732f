internal import EntityStore
internal import ListDiffing
internal import Locking

/// What heads a section of any list here.
struct ListHeader: Sendable, Hashable {
  var key: SectionKey
  /// Whether the section is there without rows too: it is the only one of a list without sections.
  var staysWhenEmpty: Bool
  /// Which part of a concatenated list it is in; outermost first, if parts have parts.
  var parts: [Int] = []
}

/// One version of a list that others are derived from.
protocol ListContent<Row>: Sendable {
  associatedtype Row: Sendable

  /// What tells this version from all others.
  var key: ListKey { get }
  /// The version of the store that the list was last changed by.
  var version: Int64 { get }
  var count: Int { get }
  var sectionCount: Int { get }
  func header(_ section: Int) -> ListHeader
  func rowCount(_ section: Int) -> Int
  /// The position of a section, if it is in the list.
  func section(_ id: SectionID) -> Int?
  /// The row at a path that is in the list.
  ///
  /// - Complexity: O(log n)
  func row(at path: ListPath) -> Row
  /// The rows of a section, in O(n).
  func rows(_ section: Int) -> [Row]
}

extension ListContent {
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  func section(_ id: SectionID) -> Int? {
    (0..<sectionCount).first { header($0).id == id }
  }
}

extension FetchedObjectsSnapshot: ListContent {
  var key: ListKey { ListKey(result.base, result.window) }
  var sectionCount: Int { result.sectionCount }

  func header(_ section: Int) -> ListHeader {
    ListHeader(
      key: result.key(ofSection: section), staysWhenEmpty: result.plan.sectionOrder.isEmpty)
  }

  func rowCount(_ section: Int) -> Int { result.rows(ofSection: section).count }

  func section(_ id: SectionID) -> Int? {
    guard id.parts.isEmpty else { return nil }
    // Where sections are ordered by what tells them apart, the tree can be searched.
    if result.plan.sectionOrder.count == 1 {
      return result.section(SectionKey(order: [id.identity], title: ""))
    }
    return (0..<result.sectionCount).first {
      result.key(ofSection: $0).identity == id.identity
    }
  }

  func row(at path: ListPath) -> EntityView<E> {
    EntityView(result.row(at: path), result.plan)
  }

  func rows(_ section: Int) -> [EntityView<E>] { SectionInfo(result, section).rows }
}

/// From one version of a list to the next, as those derived from it are told.
struct ListEvent<Row: Sendable>: Sendable {
  let before: any ListContent<Row>
  let lazyChanges: LazyChanges
  let after: any ListContent<Row>
  let versions: ClosedRange<Int64>
  /// The event of a model that this one comes of.
  let origin: EventOrigin
  /// Whether any row and section may move, since the list is another one: that of another query.
  let isWhole: Bool
  /// Names what several events are told as one; they concern different sections.
  let group: EventGroup?

  var changes: ListChanges { lazyChanges.value }
}

extension ListEvent {
  init(
    before: any ListContent<Row>, changes: ListChanges, after: any ListContent<Row>,
    versions: ClosedRange<Int64>, origin: EventOrigin, isWhole: Bool, group: EventGroup?
  ) {
    self.init(
      before: before, lazyChanges: LazyChanges(known: changes), after: after, versions: versions,
      origin: origin, isWhole: isWhole, group: group)
  }
}

/// The changes of an event, which are worked out when they are asked for.
final class LazyChanges: Sendable {
  private let known: Locked<ListChanges?>
  private let make: @Sendable () -> ListChanges

  init(_ make: @escaping @Sendable () -> ListChanges) {
    known = Locked(nil)
    self.make = make
  }

  init(known changes: ListChanges) {
    known = Locked(changes)
    make = { changes }
  }

  var value: ListChanges {
    if let known = known.withLock({ $0 }) { return known }
    // Only the place of the event comes here, so they are made once.
    let made = make()
    known.withLock { $0 = made }
    return made
  }
}

/// One of the events of a model.
struct EventOrigin: Sendable, Hashable {
  let list: ObjectIdentifier
  let number: Int
}

/// What tells a version of a list from all others, for as long as it is held.
struct ListKey: Sendable, Equatable {
  private let object: any AnyObject & Sendable
  private let window: ResultWindow?

  init(_ object: any AnyObject & Sendable, _ window: ResultWindow? = nil) {
    self.object = object
    self.window = window
  }

  static func == (a: ListKey, b: ListKey) -> Bool {
    a.object === b.object && a.window == b.window
  }
}

/// Events that are told as one.
final class EventGroup: Sendable {}
