internal import EntityStore
internal import Locking

extension LiveIndex {
  /// What external commits after a version mean, which are read here unless they are known.
  ///
  /// - Complexity: O(1) for the same versions as before; otherwise O(*k*) for *k* changes.
  func news(after takenIn: Int64, reading reader: any StorageReader) throws -> ExternalNews {
    let versions = takenIn..<reader.version
    let mark = try reader.externalMark(of: reader.version)
    if let known = core.state.withLock({ $0.details.external }), known.versions == versions,
      known.mark == mark
    {
      return known
    }
    let entity = plan.query.entity
    let changes = try reader.externalChanges(since: takenIn, of: plan.entities.union([entity]))
    let isEmptyOnNet = changes?.isEmpty ?? false
    let isRewritten = changes?.rewritten[entity] != nil
    let news = ExternalNews(
      versions, mark, isNothing: isEmptyOnNet && !isRewritten,
      isRenumberingOnly: isEmptyOnNet && isRewritten, renumberedElsewhere(changes))
    keep(news)
    return news
  }

  /// The whole result after external commits.
  ///
  /// - Complexity: O(1) if it has been read for these; otherwise O(*n* log *n*) for *n* rows.
  func whole(after news: ExternalNews, reading reader: any StorageReader) throws -> IndexSnapshot {
    if let whole = news.whole { return whole }
    let whole = try IndexWalk.fetch(plan, reader).0
    core.state.withLock { $0.work.fetches += 1 }
    keep(ExternalNews(news, whole: whole))
    return whole
  }

  private func keep(_ news: ExternalNews) {
    // What there was is freed when the lock is gone.
    let old = core.state.withLock { state in
      let old = state.details.external
      state.details.external = news
      return old
    }
    withExtendedLifetime(old) {}
  }
}
