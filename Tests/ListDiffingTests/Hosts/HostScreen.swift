import ListDiffing

/// A simulated host as the library meets it, with the data it reads.
///
///     let screen = HostScreen(SimulatedTableView.self, showing: old)
///     screen.performBatchUpdates(pass, animated: true, updateData: { screen.data = new }) { _ in }
///     screen.violations  // []
@MainActor
final class HostScreen<Host: SimulatedHost>: ListUpdating {
  /// The list that the host reads.
  var data: [Section]

  /// How the host takes changes.
  var listUpdateStyle = ListPresentation.Style.passThenReload

  /// The rules that were broken so far.
  private(set) var violations: [HostViolation] = []

  private var host: Host

  init(_ type: Host.Type, showing list: [Section]) {
    data = list
    host = Host(showing: list)
  }

  /// What is on the screen, as it was last drawn.
  var drawn: [Section] { host.drawn }

  var shownRowCounts: [Int]? { host.drawn.map(\.rows.count) }

  func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    let (shown, early) = (host.drawn.map(\.rows.count), data.map(\.rows.count))
    if shown != early { violations.append(.dataChangedEarly(shown: shown, data: early)) }
    updateData()
    record { () throws(HostViolation) in try host.carryOut(pass, data: data) }
    completion(true)
  }

  func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    record { () throws(HostViolation) in
      try host.reload(rows: rows, headers: headers, data: data)
    }
  }

  func reloadData() {
    host = Host(showing: data)
  }

  /// Looks whether all that is drawn is what the data have, in its newest version.
  func verifyDrawn() {
    record { () throws(HostViolation) in try host.verifyDrawn(data) }
  }

  private func record(_ body: () throws(HostViolation) -> Void) {
    do { try body() } catch { violations.append(error) }
  }
}
