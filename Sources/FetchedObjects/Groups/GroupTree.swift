internal import EntityStore
internal import ListDiffing

/// A group's keys and its section, which determine its place among the groups.
///
/// It is an object, because the nodes of the tree are copied, and a group has many parts to retain.
/// It isn't generic over the rows, so that the tree is specialised for it.
class GroupEntry: Weighted, @unchecked Sendable {
  // @unchecked: its properties and those of its only subclass are constants.
  let keys: [StoredValue]
  let section: SectionKey

  init(keys: [StoredValue], section: SectionKey) {
    self.keys = keys
    self.section = section
  }

  final var weight: Int { 1 }

  static var nodeWidth: Int { 16 }
}

/// A group with the keys of its place.
final class TypedGroupEntry<Source: ObjectView>: GroupEntry, @unchecked Sendable {
  let group: Group<Source>

  init(_ group: Group<Source>, keys: [StoredValue], section: SectionKey) {
    self.group = group
    super.init(keys: keys, section: section)
  }
}

/// The groups of a list, in order.
///
/// A group is the same as one with equal keys of the same section.
struct GroupTree: Sendable {
  private(set) var entries: CountedTree<GroupEntry>
  /// For each key of the order, true if smaller values come first.
  private let areAscending: [Bool]
  /// The plan that has the order of the sections.
  private let plan: ResultPlan

  init(_ entries: [GroupEntry], by areAscending: [Bool], _ plan: ResultPlan) {
    self.areAscending = areAscending
    self.plan = plan
    self.entries = CountedTree()
    self.entries = CountedTree(entries.sorted { compare($0, $1) < 0 })
  }

  private func compare(_ a: GroupEntry, _ b: GroupEntry) -> Int {
    for (index, isAscending) in areAscending.enumerated() {
      let order = a.keys[index].compare(to: b.keys[index])
      if order != 0 { return isAscending ? order : -order }
    }
    return plan.compare(a.section, b.section)
  }

  /// Returns the position of a group, or the one where it would be.
  private func place(of entry: GroupEntry) -> Int {
    entries.partitioningIndex { compare($0, entry) >= 0 }
  }

  func replacing(_ old: [GroupEntry?], with new: [GroupEntry?]) -> GroupTree {
    var tree = self
    for entry in old { if let entry { tree.entries.remove(at: tree.place(of: entry)) } }
    for entry in new { if let entry { tree.entries.insert(entry, at: tree.place(of: entry)) } }
    return tree
  }

  /// Returns the changes to the groups after `old` have been replaced by `new`.
  ///
  /// A group is nil if it is left out. `pairs` has the places in both of the groups that are there
  /// before and after. `shown` has the positions of the groups that the list shows. `differs`
  /// returns true if the groups at two places show something else.
  func changes(
    to after: GroupTree, _ old: [GroupEntry?], _ new: [GroupEntry?], pairs: [(Int, Int)],
    shown: (before: Range<Int>, after: Range<Int>), differs: (Int, Int) -> Bool
  ) -> ListChanges {
    func path(_ row: Int) -> ListPath { ListPath(section: 0, row: row) }
    let oldPlaces = old.map { $0.map(place) }
    let newPlaces = new.map { $0.map(after.place) }
    let crossings = WindowCrossings(
      from: shown.before, touched: oldPlaces.compactMap { $0 }, to: shown.after,
      touched: newPlaces.compactMap { $0 })
    let oldRows = oldPlaces.map { $0.flatMap { shown.before.contains($0) ? $0 : nil } }
    let newRows = newPlaces.map { $0.flatMap { shown.after.contains($0) ? $0 : nil } }
    var survivors: [Survivor<ListPath>] = []
    var deletes = oldRows
    var inserts = newRows
    for (oldIndex, newIndex) in pairs {
      guard let oldRow = oldRows[oldIndex], let newRow = newRows[newIndex] else { continue }
      (deletes[oldIndex], inserts[newIndex]) = (nil, nil)
      survivors.append(
        Survivor(old: path(oldRow), new: path(newRow), differs: differs(oldIndex, newIndex)))
    }
    var moves: [PositionChange<ListPath>] = []
    var updates: [PositionChange<ListPath>] = []
    settle(
      survivors, index: { $0.row }, oldTouched: oldRows.compactMap { $0 } + crossings.leaving,
      newTouched: newRows.compactMap { $0 } + crossings.entering, moves: &moves, updates: &updates)
    return ListChanges(
      deletes: (deletes.compactMap { $0 } + crossings.leaving).map(path),
      inserts: (inserts.compactMap { $0 } + crossings.entering).map(path), moves: moves,
      updates: updates)
  }
}
