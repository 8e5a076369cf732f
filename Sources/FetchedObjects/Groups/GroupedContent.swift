internal import ListDiffing

/// One version of a list of groups.
///
/// It is immutable. The next version shares its unchanged parts.
final class GroupedContent<Source: ObjectView>: ListContent {
  typealias Row = Group<Source>

  /// All groups, in order, and those behind the limit, too.
  let groups: GroupTree
  let version: Int64
  let count: Int

  init(_ groups: GroupTree, limit: Int?, version: Int64) {
    self.groups = groups
    self.version = version
    count = min(groups.entries.count, limit ?? .max)
  }

  var key: ListKey { ListKey(self) }
  var isSectioned: Bool { false }
  var sectionCount: Int { 1 }
  var totalCount: Int { groups.entries.count }

  func header(_ section: Int) -> ListHeader { ListHeader(key: .only, staysWhenEmpty: true) }

  func rowCount(_ section: Int) -> Int { count }

  func row(at path: ListPath) -> Group<Source> {
    // All entries are made by `GroupDerivation`, of this type.
    unsafeDowncast(groups.entries[path.row], to: TypedGroupEntry<Source>.self).group
  }

  func rows(_ section: Int) -> [Group<Source>] {
    (0..<count).map { row(at: ListPath(section: 0, row: $0)) }
  }
}
