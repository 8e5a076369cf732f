/// A host that shows a list inside another host, after sections or rows that don't belong to the
/// list.
///
///     // Section 0 is a banner, and row 0 of each other section a button.
///     let host = EmbeddedListHost(in: collectionView, sections: 1, rows: 1)
///     let adapter = ListAdapter(host: host, dataSource: feed)
///
/// The owner of the other host implements its data source: first a banner, then the adapter's
/// sections, each with a button before its rows. It may show more behind them. While the list is
/// updated, the owner must not insert, delete or move its own sections and rows.
///
/// It holds the other host weakly. Neither the other host nor an adapter holds it: keep it.
public final class EmbeddedListHost: ListUpdating {
  private weak var host: (any ListUpdating)?
  private let sections: Int
  private let rows: Int

  /// Creates a host inside another one.
  ///
  /// - Parameters:
  ///   - host: The host that shows more than the list.
  ///   - sections: The number of sections of `host` before the first section of the list.
  ///   - rows: The number of rows before the first row of the list, in each of the list's sections.
  /// - Precondition: `sections` and `rows` aren't negative.
  public init(in host: any ListUpdating, sections: Int = 0, rows: Int = 0) {
    _mustHold(
      sections >= 0 && rows >= 0, "A list begins after what its host shows before it, not sooner")
    self.host = host
    self.sections = sections
    self.rows = rows
  }

  /// The update style of the other host, or `.passThenReload` if it has been deallocated.
  public var listUpdateStyle: ListPresentation.Style { host?.listUpdateStyle ?? .passThenReload }

  /// True if the other host still exists and is shown.
  public var isListShown: Bool { host?.isListShown ?? false }

  /// Always nil, because the rows that the other host shows besides the list are unknown here.
  ///
  /// Reading it reads that of the other host. A collection view that counts lazily then counts its
  /// old rows before a batch, and not in the batch, where it would count the new ones.
  public var shownRowCounts: [Int]? {
    _ = host?.shownRowCounts
    return nil
  }

  /// Carries out the pass in the other host.
  public func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
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
