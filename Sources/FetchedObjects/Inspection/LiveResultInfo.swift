@_spi(Storage) public import EntityStore
internal import Locking

/// A result that a store keeps up to date, as an inspector shows it.
///
///     for result in store.liveResults {
///       print(result.query, result.modelCount, result.work.commits)
///     }
///
/// Models of equal queries share one result, and so do windows near its beginning or its end. A
/// window further inside uses an index, which it shares with index-only models of its query.
@_spi(Inspection) public struct LiveResultInfo: Sendable {
  /// The data that is kept for a result.
  public enum Kind: Hashable, Sendable {
    /// All rows.
    case rows
    /// The first rows, the last ones or those around a row, of which windows show a range.
    case nearRows
    /// The rows of a window further inside.
    case window
    /// The place of each row in the order, without its object.
    case index
  }

  /// The number of the result, which no other result of the process has.
  public let serial: Int
  /// The query.
  public let query: QueryDescription
  /// The data that is kept.
  public let kind: Kind
  /// The number of rows, or of those that are kept.
  public let rowCount: Int
  /// Counts of the work that the result has taken.
  public let work: ResultWork
  /// The models that show the result, in the order in which they were made.
  ///
  /// There are none for an index that only windows use.
  public let models: [LiveModelInfo]
  /// The number of models that show the result.
  public var modelCount: Int { models.count }
}

/// A model that shows a result, as an inspector shows it.
@_spi(Inspection) public struct LiveModelInfo: Sendable {
  /// The positions of the rows that it shows, among all rows of the query.
  public let positions: Range<Int>
  /// The number of rows of the query.
  public let totalCount: Int
  /// The number of subscriptions to its events and errors.
  public let subscriptionCount: Int
  /// The number of steps that wait for their turn in the model's delivery context.
  public let waitingCount: Int
  /// The error because of which it shows an older result, or nil.
  public let error: String?
  private let view: ResultView?

  fileprivate init<Member: Follower>(
    _ follower: Member, _ subscriptionCount: Int
  ) where Member.Value: WindowedResult {
    let shown = follower.shown
    positions = shown.rowsBefore..<shown.rowsBefore + shown.count
    totalCount = shown.totalCount
    self.subscriptionCount = subscriptionCount
    waitingCount = follower.waitingCount
    error = follower.error.map { "\($0)" }
    view = shown as? ResultView
  }

  /// Returns true if the model shows the object with an id; false if it keeps positions only.
  public func shows(_ id: StoredValue) -> Bool { view?.row(id) != nil }
}

extension Store {
  /// The results that are kept up to date, for inspectors and tests of leaks.
  ///
  /// They are ordered by the descriptions of their queries.
  ///
  /// - Complexity: O(*r* log *r*), where *r* is the number of results.
  @_spi(Inspection) public var liveResults: [LiveResultInfo] {
    let results = LiveResults.of(self).all.compactMap(\.info)
    let indexes = LiveIndexes.of(self).all.compactMap(\.info)
    return (results + indexes).map { (key: $0.query.description, info: $0) }
      .sorted { $0.key < $1.key }.map(\.info)
  }
}

extension Store {
  /// The work of the results that are kept up to date, by their serial numbers, in no order.
  @_spi(Inspection) public var liveWork: [(serial: Int, work: ResultWork)] {
    LiveResults.of(self).all.map { ($0.core.serial, $0.work) }
      + LiveIndexes.of(self).all.map { ($0.core.serial, $0.work) }
  }
}

extension LiveResult {
  /// The description of the result, or nil while the first result is being read.
  fileprivate var info: LiveResultInfo? {
    core.state.withLock { $0.newest?.count }.map { rowCount in
      LiveResultInfo(
        serial: core.serial, query: source.kind == .nearRows ? plan.query : query,
        kind: source.kind, rowCount: rowCount, work: work,
        models: core.members.map { LiveModelInfo($0, $0.subscriptionCount) })
    }
  }
}

extension LiveResult.Source {
  fileprivate var kind: LiveResultInfo.Kind {
    switch self {
    case .all: .rows
    case .near: .nearRows
    case .window: .window
    }
  }
}

extension LiveIndex {
  /// The description of the index, or nil while the first result is being read.
  fileprivate var info: LiveResultInfo? {
    core.state.withLock { $0.newest?.count }.map { rowCount in
      LiveResultInfo(
        serial: core.serial, query: plan.query, kind: .index, rowCount: rowCount, work: work,
        models: core.members.map { LiveModelInfo($0, $0.subscriptionCount) })
    }
  }
}
