/// The host of a list: a view, or whatever else shows rows and takes changes in batches.
///
///     final class Screen: ListUpdating {
///       func performBatchUpdates(
///         _ pass: ListPass, animated: Bool, updateData: @escaping () -> Void,
///         completion: @escaping (Bool) -> Void
///       ) {
///         updateData()
///         for step in pass.steps { draw(step) }
///         completion(true)
///       }
///       func reloadList(rows: [ListPath], headers: [Int], animated: Bool) { … }
///       func reloadData() { … }
///     }
///
/// Collection and table views of UIKit and AppKit are hosts already. For others the methods say what a host
/// promises.
@MainActor
public protocol ListUpdating: AnyObject {
  /// How the host takes changes; ``ListUpdateStyle/passThenReload`` unless it says otherwise.
  var listUpdateStyle: ListUpdateStyle { get }

  /// Whether the host shows anything, so that changes are worth a batch; true unless it says otherwise.
  ///
  /// A view outside a window says no, and an adapter lets it reload.
  var isListShown: Bool { get }

  /// The number of rows in each section, as the host believes them to be; nil if it doesn't know, which is
  /// what it says unless it says otherwise.
  ///
  /// Where this isn't what the host was last given, an adapter lets it reload instead of trapping in a batch.
  var shownRowCounts: [Int]? { get }

  /// Carries out one pass.
  ///
  /// - Parameters:
  ///   - pass: What comes, goes and moves; never nothing.
  ///   - animated: Whether to show how.
  ///   - updateData: Brings the data that the host reads to what it is after the pass. The host calls it once,
  ///     before it returns, and reads no data in this method before it has.
  ///   - completion: The host calls it once, when the change is no longer seen to happen, with whether it came
  ///     to its end. That may be long after it has returned.
  func performBatchUpdates(
    _ pass: ListPass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void)

  /// Shows the content of rows and headers anew, none of which comes, goes or moves.
  ///
  /// What a pass inserts is not reloaded. A host that knows rows by their identifiers draws those anew in the pass,
  /// since they may have been there before, with other content.
  ///
  /// - Parameters:
  ///   - rows: The paths of the rows.
  ///   - headers: The positions of the sections. A host that can't reload a header alone reloads the section.
  ///   - animated: Whether to show how.
  func reloadList(rows: [ListPath], headers: [Int], animated: Bool)

  /// Shows everything anew.
  func reloadData()
}

extension ListUpdating {
  /// One pass, then a reload.
  public var listUpdateStyle: ListUpdateStyle { .passThenReload }

  /// True.
  public var isListShown: Bool { true }

  /// Nil.
  public var shownRowCounts: [Int]? { nil }
}
