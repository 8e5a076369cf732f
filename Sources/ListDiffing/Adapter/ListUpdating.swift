/// The host of a list: a view, or anything else that shows rows and takes changes in batches.
///
///     final class Screen: ListUpdating {
///       func performBatchUpdates(
///         _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
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
/// Collection views and table views of UIKit and AppKit already conform. For other hosts, the
/// methods below describe the requirements.
@MainActor
public protocol ListUpdating: AnyObject {
  /// The style in which the host takes changes. The default is
  /// ``ListPresentation/Style/passThenReload``.
  var listUpdateStyle: ListPresentation.Style { get }

  /// True if the host shows anything, so that changes are worth a batch. The default is true.
  ///
  /// A view outside a window returns false. An adapter then reloads it.
  var isListShown: Bool { get }

  /// The number of rows in each section, as the host believes them to be, or nil if it doesn't
  /// know. The default is nil.
  ///
  /// An adapter reads it before each update. If the numbers differ from what the host was last
  /// given, the adapter reloads the host instead of letting it trap in a batch. A host that passes
  /// batches on to another one reads the other one's numbers here, because a view may have to count
  /// its rows before a batch.
  var shownRowCounts: [Int]? { get }

  /// Carries out one pass.
  ///
  /// - Parameters:
  ///   - pass: The insertions, deletions and moves. It is never empty.
  ///   - animated: True to animate the changes.
  ///   - updateData: A closure that updates the data that the host reads to the state after the
  ///     pass. The host calls it once, before this method returns. In this method, it reads no data
  ///     before that call.
  ///   - completion: A closure that the host calls once, when the change is no longer visible, with
  ///     true if the change finished. That may be long after this method has returned.
  func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void)

  /// Reloads the content of rows and headers. None of them is inserted, deleted or moved.
  ///
  /// Rows that a pass inserts aren't reloaded afterwards. A host that identifies rows by their
  /// identifiers redraws inserted rows in the pass, because they may have existed before with other
  /// content.
  ///
  /// - Parameters:
  ///   - rows: The paths of the rows.
  ///   - headers: The positions of the sections. A host that can't reload a header alone reloads
  ///     the section.
  ///   - animated: True to animate the changes.
  func reloadList(rows: [ListPath], headers: [Int], animated: Bool)

  /// Reloads everything.
  func reloadData()
}

extension ListUpdating {
  /// The default style: one pass, then a reload.
  public var listUpdateStyle: ListPresentation.Style { .passThenReload }

  /// The default: true.
  public var isListShown: Bool { true }

  /// The default: nil.
  public var shownRowCounts: [Int]? { nil }
}
