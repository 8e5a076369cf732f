internal import EntityStore
internal import ListDiffing

/// What one client, or many at the same place, are to be told.
struct FeedStep: Sendable {
  /// A result that a client has, and where that is.
  struct Start: Sendable {
    let cursor: FeedCursor
    let view: ResultView
  }

  /// Where the client asks from; nil if that isn't known.
  let start: Start?
  /// Where it is afterwards.
  let cursor: FeedCursor
  let view: ResultView

  /// The page that tells it.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects that may have changed since, and O(*n*) for a reset.
  func page<Content: Sendable>(
    _ content: (ResultRow, ResultPlan) -> Content
  ) -> FeedPage<Content> {
    let plan = view.plan
    func feedRow(_ row: ResultRow) -> FeedRow<Content> {
      FeedRow(content: content(row, plan), hash: plan.feedHash(of: row))
    }
    guard let start else { return FeedPage(cursor: cursor, news: .reset(sections(feedRow))) }
    if start.cursor == cursor { return FeedPage(cursor: cursor, news: .unchanged) }
    // Versions of one result share what is the same; what they don't share are the candidates.
    let candidates =
      start.view.plan === plan ? view.base.table.touched(since: start.view.base.table) : nil
    let list = listChanges(from: start.view, to: view, touching: candidates)
    if list.isEmpty && start.cursor.sum == cursor.sum {
      return FeedPage(cursor: cursor, news: .unchanged)
    }
    return FeedPage(
      cursor: cursor, news: .changes(changes(list, after: start.cursor, feedRow)))
  }

  /// The whole list.
  private func sections<Content>(
    _ feedRow: (ResultRow) -> FeedRow<Content>
  ) -> [FeedList<Content>.Section] {
    (0..<view.sectionCount).map { position in
      var rows: [FeedRow<Content>] = []
      view.tree(ofSection: position).forEach(in: view.rows(ofSection: position)) {
        rows.append(feedRow(view.base.row($0)))
      }
      return ListSection(header: FeedSection(view.key(ofSection: position)), rows: rows)
    }
  }

  /// The changes, with the content of all that is new.
  private func changes<Content>(
    _ list: ListChanges, after: FeedCursor, _ feedRow: (ResultRow) -> FeedRow<Content>
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
