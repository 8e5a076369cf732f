public import EntityStore
internal import Locking

/// A result that a store keeps up to date, as an inspector shows it.
///
///     for result in store.liveResults { print(result.query, result.modelCount, result.work.commits) }
///
/// Models of equal queries share one result, and a window stands on an index that it shares with index-only
/// models of its query.
public struct LiveResultInfo: Sendable {
  /// What of the objects is kept.
  public enum Kind: Hashable, Sendable {
    /// All rows.
    case rows
    /// The rows of a window.
    case window
    /// Of each row its place.
    case index
  }

  /// The query.
  public let query: QueryDescription
  /// What of the objects is kept.
  public let kind: Kind
  /// How many rows it has; of a window those in it.
  public let rowCount: Int
  /// How many models show it.
  ///
  /// An index on which only windows stand is shown by none.
  public let modelCount: Int
  /// How much work it has been, counted.
  public let work: ResultWork
}

extension Store {
  /// The results that are kept up to date, in the order of their queries' descriptions, for inspectors and tests of
  /// leaks.
  ///
  /// - Complexity: O(*r* log *r*), where *r* is the number of results.
  public var liveResults: [LiveResultInfo] {
    let results = LiveResults.of(self).all.compactMap(\.info)
    let indexes = LiveIndexes.of(self).all.compactMap(\.info)
    return (results + indexes).map { (key: $0.query.description, info: $0) }
      .sorted { $0.key < $1.key }.map(\.info)
  }
}

extension LiveResult {
  /// Nil while the first result is being read.
  fileprivate var info: LiveResultInfo? {
    let found = core.state.withLock { state in
      state.newest.map { (rows: $0.count, models: state.memberCount) }
    }
    return found.map {
      LiveResultInfo(
        query: query, kind: source == nil ? .rows : .window, rowCount: $0.rows,
        modelCount: $0.models, work: work)
    }
  }
}

extension LiveIndex {
  /// Nil while the first result is being read.
  fileprivate var info: LiveResultInfo? {
    let found = core.state.withLock { state in
      state.newest.map { (rows: $0.count, models: state.memberCount) }
    }
    return found.map {
      LiveResultInfo(
        query: plan.query, kind: .index, rowCount: $0.rows, modelCount: $0.models, work: work)
    }
  }
}
