@_spi(Storage) @_spi(Inspection) internal import EntityStore
@_spi(Inspection) internal import FetchedObjects

/// A list that the store keeps up to date, as an inspector shows it.
///
///     for list in inspector.lists { print(list.query, list.rowCount, list.models.count) }
///
/// Models of equal queries share one list.
public struct InspectedList: Sendable {
  /// A text that distinguishes the list from others.
  ///
  /// It is the same as long as the list exists.
  public let id: String
  /// The name of the entity whose objects are listed.
  public let entityName: String
  /// The query, as Swift writes it.
  public let query: String
  /// The data that is kept: all rows, the rows near windows, a window, or an index.
  public let kind: String
  /// The number of rows that are kept.
  public let rowCount: Int
  /// The models that show it.
  public let models: [InspectedModel]
  /// The number of commits that the list has been asked about.
  public let commits: Int
  /// The number of objects for which it has checked whether they belong to it.
  public let candidates: Int
  /// The number of times that two rows have been compared.
  public let comparisons: Int
  /// The number of times that the whole list has been read.
  public let fetches: Int

  init(_ info: LiveResultInfo) {
    id = info.listID
    entityName = info.query.entity.name
    query = info.query.description
    kind = info.kind.words
    rowCount = info.rowCount
    models = info.models.map(InspectedModel.init)
    commits = info.work.commits
    candidates = info.work.candidates
    comparisons = info.work.comparisons
    fetches = info.work.fetches
  }
}

/// A model that shows a list.
public struct InspectedModel: Sendable {
  /// The positions of the rows that it shows, among all rows of the query.
  public let positions: Range<Int>
  /// The number of rows of the query.
  public let totalCount: Int
  /// The number of subscriptions to it.
  public let subscriptionCount: Int
  /// The number of steps that wait for the actor on which the model changes.
  public let waitingCount: Int
  /// The error because of which it shows an older result, or nil.
  public let error: String?

  init(_ info: LiveModelInfo) {
    positions = info.positions
    totalCount = info.totalCount
    subscriptionCount = info.subscriptionCount
    waitingCount = info.waitingCount
    error = info.error
  }
}

extension LiveResultInfo {
  /// The id of the list in an inspector.
  var listID: String { String(serial) }
}

extension LiveResultInfo.Kind {
  fileprivate var words: String {
    switch self {
    case .rows: "all rows"
    case .nearRows: "rows near windows"
    case .window: "a window"
    case .index: "an index"
    }
  }
}
