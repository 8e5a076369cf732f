/// A host that shows a list inside another host, which shows something of its own before it.
///
///     // Section 0 is a banner, and row 0 of each other section a button.
///     let host = EmbeddedListHost(in: collectionView, sections: 1, rows: 1)
///     let adapter = SectionedListAdapter(host: host, dataSource: feed)
///
/// What the other host's data source answers is up to its owner: a banner, then the adapter's sections, each with
/// a button before its rows; and something of its own behind them, if it likes. What is the owner's must not come,
/// go or move while the list is updated.
///
/// It holds the other host weakly. Neither that nor an adapter holds it: keep it.
public final class EmbeddedListHost: ListUpdating {
  private weak var host: (any ListUpdating)?
  private let sections: Int
  private let rows: Int

  /// Creates a host inside another one.
  ///
  /// - Parameters:
  ///   - host: The host that shows more than the list.
  ///   - sections: The number of its sections before the first one of the list.
  ///   - rows: The number of its rows before the first one of the list, in each of the list's sections.
  /// - Precondition: Neither is negative.
  public init(in host: any ListUpdating, sections: Int = 0, rows: Int = 0) {
    _mustHold(
      sections >= 0 && rows >= 0, "A list begins after what its host shows before it, not sooner")
    self.host = host
    self.sections = sections
    self.rows = rows
  }

  /// That of the other host.
  public var listUpdateStyle: ListUpdateStyle { host?.listUpdateStyle ?? .passThenReload }

  /// Whether the other host is there and shown.
  public var isListShown: Bool { host?.isListShown ?? false }

  /// Nil: what the other host shows besides the list isn't known here.
  public var shownRowCounts: [Int]? { nil }

  /// Carries out the pass in the other host.
  public func performBatchUpdates(
    _ pass: ListPass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    guard let host else {
      updateData()
      return completion(false)
    }
    host.carryOut(
      pass.offset(sections: sections, rows: rows), animated: animated, updateData: updateData,
      completion: completion)
  }

  /// Reloads the rows and headers in the other host.
  public func reloadList(rows paths: [ListPath], headers: [Int], animated: Bool) {
    host?.reloadList(
      rows: paths.map { $0.offset(sections: sections, rows: rows) },
      headers: headers.map { $0 + sections }, animated: animated)
  }

  /// Reloads the other host.
  public func reloadData() { host?.reloadData() }
}
