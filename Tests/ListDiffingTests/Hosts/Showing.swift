import ListDiffing
import TestSupport
import Testing

/// A change from one list to another, as it is put through the hosts.
struct Showing {
  let old: [Section]
  let new: [Section]
  let changes: ListChanges

  init(_ old: [Section], _ new: [Section], changes: ListChanges? = nil) {
    self.old = old
    self.new = new
    self.changes = changes ?? SectionedListDiff(from: old, to: new).changes
  }

  /// The presentation in which all that moves counts as changed.
  func presentation(_ style: ListPresentation.Style) -> ListPresentation {
    ListPresentation(of: changes, sectionCount: old.count, style: style)
  }

  /// The presentation in which only what looks different counts as changed.
  func exactPresentation(_ style: ListPresentation.Style) -> ListPresentation {
    ListPresentation(
      of: changes, sectionCount: old.count, style: style,
      isMovedRowChanged: { old[$0.old] != new[$0.new] },
      isMovedHeaderChanged: { old[$0.old].header != new[$0.new].header })
  }

  /// All presentations there are, with the styles that led to each.
  var presentations: [(ListPresentation, styles: [ListPresentation.Style])] {
    var result: [(ListPresentation, styles: [ListPresentation.Style])] = []
    for style in ListPresentation.Style.allCases {
      for presentation in [presentation(style), exactPresentation(style)] {
        if let index = result.firstIndex(where: { $0.0 == presentation }) {
          result[index].styles.append(style)
        } else {
          result.append((presentation, [style]))
        }
      }
    }
    return result
  }

  /// Records an issue for each rule that a host with sections sees broken, in any style.
  @MainActor
  func check() {
    for (presentation, styles) in presentations {
      show(presentation, styles, on: SimulatedCollectionView.self)
      show(presentation, styles, on: SimulatedTableView.self)
      show(presentation, styles, on: SimulatedOutline.self)
      show(presentation, styles, on: SimulatedDiffableSource.self)
    }
  }

  /// Records an issue for each rule that a host without sections sees broken, in any style.
  @MainActor
  func checkFlat() {
    for (presentation, styles) in presentations {
      show(presentation, styles, on: SimulatedTableColumn.self)
    }
  }

  /// Does with a host what an adapter does: each pass with its list, then the reload.
  @MainActor
  private func show<Host: SimulatedHost>(
    _ presentation: ListPresentation, _ styles: [ListPresentation.Style], on type: Host.Type
  ) {
    let screen = HostScreen(type, showing: old)
    for (pass, list) in zip(presentation.passes, presentation.lists(from: old, to: new)) {
      screen.performBatchUpdates(pass, animated: false, updateData: { screen.data = list }) { _ in }
    }
    if presentation.passes.isEmpty { screen.data = new }
    expectEqual(screen.data, new, "The last pass doesn't end at the new list.")
    screen.reloadList(
      rows: presentation.reloadedRows, headers: presentation.reloadedHeaders, animated: false)
    screen.verifyDrawn()
    guard !screen.violations.isEmpty else { return }
    recordIssue(
      """
      \(screen.violations) \(type), \(styles): \(changes) as \(presentation.passes), then reload \
      \(presentation.reloadedRows), \(presentation.reloadedHeaders). From \(old) to \(new).
      """)
  }
}
