@_spi(Storage) internal import EntityStore
internal import ListDiffing

/// The step to the shown list, for all clients that are at the same version.
struct FeedStep: Sendable {
  /// A result that a client has, and its cursor.
  struct Start: Sendable {
    let cursor: FeedCursor
    let view: ResultView
  }

  /// The client's result, or nil if it isn't known.
  let start: Start?
  /// The client's cursor after the step.
  let cursor: FeedCursor
  let view: ResultView

  /// Returns the page for the step.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects that may have changed since, and O(*n*) for a
  ///   reset.
  func page<Content: Sendable>(
    _ content: (ResultRow, ResultPlan) -> Content
  ) -> FeedPage<Content> {
    let plan = view.plan
    func feedRow(_ row: ResultRow) -> FeedPage<Content>.Row {
      FeedPage.Row(content: content(row, plan), hash: plan.feedHash(of: row))
    }
    guard let start else { return FeedPage(cursor: cursor, news: .reset(sections(feedRow))) }
    if start.cursor == cursor { return FeedPage(cursor: cursor, news: .unchanged) }
    // Versions of one result share their equal parts. The objects in other parts are candidates. By
    // its relevance any row may move.
    let candidates =
      start.view.plan === plan && !plan.query.isRanked
      ? view.base.table.touched(since: start.view.base.table) : nil
    let list = listChanges(from: start.view, to: view, touching: candidates)
    if list.isEmpty && start.cursor.sum == cursor.sum {
      return FeedPage(cursor: cursor, news: .unchanged)
    }
    return FeedPage(
      cursor: cursor, news: .changes(changes(list, after: start.cursor, feedRow)))
  }

  /// Returns the whole list.
  private func sections<Content>(
    _ feedRow: (ResultRow) -> FeedPage<Content>.Row
  ) -> [FeedList<Content>.Section] {
    (0..<view.sectionCount).map { position in
      var rows: [FeedPage<Content>.Row] = []
      view.tree(ofSection: position).forEach(in: view.rows(ofSection: position)) {
        rows.append(feedRow(view.base.row($0)))
      }
      return ListSection(header: FeedSection(view.key(ofSection: position)), rows: rows)
    }
  }

  /// Returns the changes, with the content of everything new.
  private func changes<Content>(
    _ list: ListChanges, after: FeedCursor, _ feedRow: (ResultRow) -> FeedPage<Content>.Row
  ) -> FeedPage<Content>.Changes {
    let sections =
      list.insertedSections + list.movedSections.map(\.new) + list.updatedSections.map(\.new)
    let rows = list.inserts + list.moves.map(\.new) + list.updates.map(\.new)
    return FeedPage.Changes(
      after: after, list: list,
      sections: sections.sorted().map {
        FeedPage.PlacedSection(position: $0, section: FeedSection(view.key(ofSection: $0)))
      },
      rows: rows.sorted().map {
        FeedPage.PlacedRow(path: $0, row: feedRow(view.row(at: $0)))
      })
  }
}
