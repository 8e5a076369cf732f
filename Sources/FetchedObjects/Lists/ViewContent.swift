internal import ListDiffing

/// A list that is a result, or a window of one.
protocol ViewContent<Row>: ListContent {
  associatedtype View: WindowedResult

  var view: View { get }
}

extension ViewContent {
  var version: Int64 { view.version }
  var count: Int { view.count }
  var isSectioned: Bool { !view.plan.sectionOrder.isEmpty }
  var sectionCount: Int { view.sectionCount }
  var rowsBefore: Int { view.rowsBefore }
  var totalCount: Int { view.totalCount }

  func header(_ section: Int) -> ListHeader {
    ListHeader(key: view.key(ofSection: section), staysWhenEmpty: !isSectioned)
  }

  func rowCount(_ section: Int) -> Int { view.rows(ofSection: section).count }

  /// - Complexity: O(log *s*) where *s* is the number of sections, or O(*s*) if the sections aren't
  ///   ordered by their identities.
  func section(_ id: SectionID) -> Int? { view.section(id) }

  func path(ofPosition position: Int) -> ListPath { view.path(ofPosition: position) }

  func position(of path: ListPath) -> Int { view.position(of: path) }
}
