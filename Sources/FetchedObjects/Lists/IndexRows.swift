internal import EntityStore
internal import ListDiffing

/// The rows of an index-only result.
struct IndexRows: ViewContent {
  let view: IndexView

  var key: ListKey { ListKey(view.index, view.window) }

  func row(at path: ListPath) -> IndexedRow { IndexedRow(number: view.number(at: path)) }

  func rows(_ section: Int) -> [IndexedRow] {
    var rows: [IndexedRow] = []
    view.tree(ofSection: section).forEach(in: view.rows(ofSection: section)) {
      rows.append(IndexedRow(number: view.index.numbers[$0.slot]))
    }
    return rows
  }
}
