internal import ListDiffing
internal import Locking

/// The way in which groups are made of the sections of a result, and kept up to date.
struct GroupDerivation<Source: ObjectView>: ListDerivation {
  typealias Input = Source
  typealias Output = Group<Source>

  let order: [Group<Source>.Order]
  let limit: Int?
  let rowCount: Int
  let isIncluded: @Sendable (Group<Source>) -> Bool

  func check(_ source: any ListContent<Source>) {
    let result = source.aggregatedResult
    mustHold(
      result.window == nil && result.base.extent == nil,
      "Groups are made of all rows of a query, and this one has a window; show the window in a model "
        + "of its own")
  }

  func content(of source: any ListContent<Source>) -> GroupedContent<Source> {
    let entries = (0..<source.sectionCount).compactMap { entry($0, of: source) }
    let groups = GroupTree(
      entries, by: order.map { $0.isAscending }, source.aggregatedResult.plan)
    return GroupedContent(groups, limit: limit, version: source.version)
  }

  func advance(
    _ content: GroupedContent<Source>, _ event: ShownEvent<Source>
  ) -> (content: GroupedContent<Source>, changes: ListChanges, reordered: Set<Int>) {
    let (before, after) = (event.before.content, event.after.content)
    if event.isNewQuery {
      let new = self.content(of: after)
      return (new, content.changes(to: new), [])
    }
    let sections = TouchedSections(event.changes)
    let old = sections.old.map { entry($0, of: before) }
    let new = sections.new.map { entry($0, of: after) }
    let groups = content.groups.replacing(old, with: new)
    let next = GroupedContent<Source>(groups, limit: limit, version: after.version)
    let shown = (before: 0..<content.rowCount(0), after: 0..<next.rowCount(0))
    let changes = content.groups.changes(
      to: groups, old, new, pairs: sections.pairs, shown: shown
    ) { a, b in
      guard let a = old[a], let b = new[b] else { return true }
      return !a.group.isContentEqual(to: b.group)
    }
    return (next, changes, [])
  }

  /// Returns the group of a section, unless it is left out.
  private func entry(_ section: Int, of source: any ListContent<Source>)
    -> TypedGroupEntry<Source>?
  {
    let result = source.aggregatedResult
    let header = source.header(section)
    let count = source.rowCount(section)
    let fields =
      result.plan.keepsSummaries
      ? result.base.summary(of: result.tree(ofSection: section)).fields : []
    let group = Group(
      id: header.id, name: header.key.title, count: count,
      rows: (0..<min(count, rowCount)).map {
        source.row(at: ListPath(section: section, row: $0))
      },
      aggregates: Aggregates<Source.Object>(plan: result.plan, fields: fields))
    guard isIncluded(group) else { return nil }
    return TypedGroupEntry(group, keys: order.map { $0.key(group) }, section: header.key)
  }
}

/// The sections of a list in which something changed.
private struct TouchedSections {
  /// The positions before and after.
  let old: [Int]
  let new: [Int]
  /// The places in both arrays of sections that are in the list before and after.
  let pairs: [(Int, Int)]

  init(_ changes: ListChanges) {
    let positions = SectionPositions(changes)
    var old = Set(changes.deletedSections)
    var new = Set(changes.insertedSections)
    for change in changes.movedSections + changes.updatedSections { old.insert(change.old) }
    for change in changes.updates + changes.moves {
      old.insert(change.old.section)
      new.insert(change.new.section)
    }
    for path in changes.deletes { old.insert(path.section) }
    for path in changes.inserts { new.insert(path.section) }
    // A section that is touched is touched on both sides.
    old.formUnion(new.compactMap(positions.old))
    new.formUnion(old.compactMap(positions.new))
    self.old = old.sorted()
    self.new = new.sorted()
    let places = Dictionary(uniqueKeysWithValues: self.new.enumerated().map { ($1, $0) })
    pairs = self.old.enumerated().compactMap { place, section in
      positions.new(of: section).flatMap { places[$0] }.map { (place, $0) }
    }
  }
}
