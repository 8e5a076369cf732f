internal import EntityStore
internal import ListDiffing

/// The rows of an index-only result.
struct IndexRows: ListContent {
  let view: IndexView

  var key: ListKey { ListKey(view.index, view.window) }
  var version: Int64 { view.version }
  var count: Int { view.count }
  var isSectioned: Bool { !view.plan.sectionOrder.isEmpty }
  var sectionCount: Int { view.sectionCount }
  var rowsBefore: Int { view.offset }
  var totalCount: Int { view.totalCount }

  func header(_ section: Int) -> ListHeader {
    ListHeader(key: view.key(ofSection: section), staysWhenEmpty: !isSectioned)
  }

  func rowCount(_ section: Int) -> Int { view.rows(ofSection: section).count }

  func section(_ id: SectionID) -> Int? {
    view.section(id, among: sectionCount)
  }

  func path(ofPosition position: Int) -> ListPath { view.path(ofPosition: position) }

  func position(of path: ListPath) -> Int { view.position(of: path) }

  func row(at path: ListPath) -> IndexedRow { IndexedRow(number: view.number(at: path)) }

  func rows(_ section: Int) -> [IndexedRow] {
    var rows: [IndexedRow] = []
    view.tree(ofSection: section).forEach(in: view.rows(ofSection: section)) {
      rows.append(IndexedRow(number: view.index.numbers[$0.slot]))
    }
    return rows
  }
}
