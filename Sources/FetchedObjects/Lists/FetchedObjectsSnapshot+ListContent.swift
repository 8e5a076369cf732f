internal import EntityStore
internal import ListDiffing

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
    // If sections are ordered by their identities, the tree can be searched.
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
