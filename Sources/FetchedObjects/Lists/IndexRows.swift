internal import EntityStore
internal import ListDiffing

/// The rows of an index-only result.
struct IndexRows: ListContent {
  let index: IndexSnapshot

  var key: ListKey { ListKey(index) }
  var version: Int64 { index.version }
  var count: Int { index.count }
  var isSectioned: Bool { !index.plan.sectionOrder.isEmpty }
  var sectionCount: Int { index.sections.count }

  func header(_ section: Int) -> ListHeader {
    ListHeader(key: index.key(ofSection: section), staysWhenEmpty: !isSectioned)
  }

  func rowCount(_ section: Int) -> Int { index.sections[section].rows.count }

  func section(_ id: SectionID) -> Int? {
    index.section(id, among: sectionCount)
  }

  func path(ofPosition position: Int) -> ListPath { index.path(ofPosition: position) }

  func position(of path: ListPath) -> Int { index.position(of: path) }

  func row(at path: ListPath) -> IndexedRow { IndexedRow(number: index.number(at: path)) }

  func rows(_ section: Int) -> [IndexedRow] {
    var rows: [IndexedRow] = []
    index.sections[section].rows.forEach { rows.append(IndexedRow(number: index.numbers[$0.slot])) }
    return rows
  }
}
