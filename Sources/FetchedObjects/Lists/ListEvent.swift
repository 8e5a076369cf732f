public import ListDiffing

/// A change of a list: the list before, the list after, and the exact changes between them.
///
///     let token = cars.didChange.subscribe(on: .mainActor) { event in
///       print("\(event.before.count) cars before, \(event.after.count) after")
///       for change in event.changes.inOrder { print(change) }
///     }
///
/// An event of a derived list or of an index-only one has at least one change. An event of a
/// ``FetchedObjectsModel`` has none if only its sums differ.
public struct ListEvent<Row: Diffable & Sendable>: Sendable {
  /// The list before.
  public let before: ListSnapshot<Row>
  /// The changes.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The list after.
  ///
  /// The model shows it while the event is delivered.
  public let after: ListSnapshot<Row>
  /// The versions of the commits in the event.
  ///
  /// If time alone has changed the list, it is the version of the last commit.
  public let versions: ClosedRange<Int64>
}

extension ListEvent {
  /// Calls `body` with each step of the event.
  ///
  /// A step is made just before its call.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changes and *n* the number of rows.
  func forEachStep(_ body: (EventStep<Row>) -> Void) {
    body(.begin(self))
    for change in changes.inOrder {
      switch change {
      case .section(let change):
        let list = change.newPosition == nil ? before : after
        body(.section(list.sections[change.position], change))
      case .row(let change):
        let list = change.newPosition == nil ? before : after
        body(.row(list[change.position], change))
      }
    }
    body(.end(self))
  }
}
