internal import EntityStore
internal import Locking

/// What external commits that aren't taken in yet mean for an index-only result.
///
/// Reads ask for it one after the other, for as long as the store can't take them in or nobody asks it to. So it is kept.
final class ExternalNews: Sendable {
  /// The versions from the one that was taken in last to the one that was read.
  fileprivate let versions: Range<Int64>
  fileprivate let mark: StorageMark?
  /// Whether nothing has changed on net, but rows may have other numbers.
  let isRenumberingOnly: Bool
  /// Whether nothing has changed that the result reads, on net or in its numbers.
  let isNothing: Bool
  /// The objects that have other numbers, or may have them.
  let renumbered: Renumbered
  /// The whole result, once it has been read.
  let whole: IndexSnapshot?

  fileprivate init(
    _ versions: Range<Int64>, _ mark: StorageMark?, isNothing: Bool, isRenumberingOnly: Bool,
    _ renumbered: Renumbered
  ) {
    self.versions = versions
    self.mark = mark
    self.isNothing = isNothing
    self.isRenumberingOnly = isRenumberingOnly
    self.renumbered = renumbered
    whole = nil
  }

  fileprivate init(_ news: ExternalNews, whole: IndexSnapshot) {
    versions = news.versions
    mark = news.mark
    isNothing = news.isNothing
    isRenumberingOnly = news.isRenumberingOnly
    renumbered = news.renumbered
    self.whole = whole
  }
}

extension LiveIndex {
  /// What external commits after a version mean, which are read here unless they are known.
  ///
  /// - Complexity: O(1) for the same versions as before; otherwise O(*k*) for *k* changes.
  func news(after takenIn: Int64, reading reader: any StorageReader) throws -> ExternalNews {
    let versions = takenIn..<reader.version
    let mark = try reader.mark(of: reader.version)
    if let known = core.state.withLock({ $0.details.external }), known.versions == versions, known.mark == mark {
      return known
    }
    let entity = plan.query.entity
    let changes = try reader.changes(since: takenIn, of: plan.entities.union([entity]))
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
