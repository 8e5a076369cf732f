@_spi(Storage) internal import EntityStore
internal import Locking

extension LiveIndex {
  /// Returns the effect of the external commits after a version.
  ///
  /// The commits are read, unless they are known.
  ///
  /// - Complexity: O(1) for the same versions as before; otherwise O(*k*) for *k* changes.
  func news(after merged: Int64, reading reader: any StorageReader) throws -> ExternalNews {
    let versions = merged..<reader.version
    let mark = try reader.externalMark(of: reader.version)
    if let known = core.state.withLock({ $0.details.external }), known.versions == versions,
      known.mark == mark
    {
      return known
    }
    let entity = plan.query.entity
    let changes = try reader.externalChanges(since: merged, of: plan.entities.union([entity]))
    let isEmptyOnNet = changes?.isEmpty ?? false
    let isRewritten = changes?.rewritten[entity] != nil
    let news = ExternalNews(
      versions: versions, mark: mark, isRenumberingOnly: isEmptyOnNet && isRewritten,
      isNothing: isEmptyOnNet && !isRewritten,
      renumbered: Renumbered(elsewhere: changes, of: entity))
    keep(news)
    return news
  }

  /// Returns the whole result after external commits.
  ///
  /// - Complexity: O(1) if it has been read for these commits before; otherwise O(*n* log *n*) for
  ///   *n* rows.
  func whole(after news: ExternalNews, reading reader: any StorageReader) throws -> IndexSnapshot {
    if let whole = news.whole { return whole }
    let whole = try IndexWalk.fetch(plan, reader).0
    core.state.withLock { $0.work.fetches += 1 }
    var news = news
    news.whole = whole
    keep(news)
    return whole
  }

  private func keep(_ news: ExternalNews) {
    // The old value is released after the lock.
    let old = core.state.withLock { state in
      let old = state.details.external
      state.details.external = news
      return old
    }
    withExtendedLifetime(old) {}
  }
}
