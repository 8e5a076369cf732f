internal import EntityStore
internal import ListDiffing

/// A group with the keys of its place.
///
/// It is an object, because the nodes of the tree are copied, and a group has many parts to retain.
final class GroupEntry<Source: ObjectView>: Weighted {
  let group: Group<Source>
  let keys: [StoredValue]
  let section: SectionKey

  init(group: Group<Source>, keys: [StoredValue], section: SectionKey) {
    self.group = group
    self.keys = keys
    self.section = section
  }

  var weight: Int { 1 }

  static var nodeWidth: Int { 16 }
}

/// One version of a list of groups.
///
/// It is immutable. The next version shares its unchanged parts.
final class GroupedContent<Source: ObjectView>: ListContent {
  typealias Row = Group<Source>

  /// All groups, in order, and those behind the limit, too.
  let entries: CountedTree<GroupEntry<Source>>
  let version: Int64
  let count: Int

  init(_ entries: CountedTree<GroupEntry<Source>>, limit: Int?, version: Int64) {
    self.entries = entries
    self.version = version
    count = min(entries.count, limit ?? .max)
  }

  var key: ListKey { ListKey(self) }
  var isSectioned: Bool { false }
  var sectionCount: Int { 1 }
  var totalCount: Int { entries.count }

  func header(_ section: Int) -> ListHeader { ListHeader(key: .only, staysWhenEmpty: true) }

  func rowCount(_ section: Int) -> Int { count }

  func row(at path: ListPath) -> Group<Source> { entries[path.row].group }

  func rows(_ section: Int) -> [Group<Source>] { (0..<count).map { entries[$0].group } }
}
