import ListDiffing
import TestSupport
import Testing

@MainActor
@Suite struct `A list inside another host` {
  private let banner = [Row(id: -1), Row(id: -2)]
  private let button = Row(id: -3)
  private let footer = [Row(id: -4)]

  @Test func `D5 It is shown after the host's own content`() {
    let outer = PlainHost()
    let host = EmbeddedListHost(in: outer, sections: 1, rows: 1)
    var list: [Section] = []
    let adapter = ListAdapter(host: host) { list }
    outer.rows = { [unowned adapter, banner, button, footer] in
      [banner] + adapter.sections.map { [button] + $0.rows } + [footer]
    }
    adapter.performUpdates()
    adapter.performPendingUpdates()
    withEvery("seed", in: seeds(300)) { seed in
      let lists = SectionedCase(seed: seed)
      outer.listUpdateStyle = ListPresentation.Style.allCases[seed % 3]
      for step in [lists.old, lists.new] {
        list = step
        adapter.performUpdates()
        adapter.performPendingUpdates()
        expectEqual(outer.drawn, [banner] + list.map { [button] + $0.rows } + [footer])
      }
    }
    expectEqual(outer.takeCalls().count { $0 == "reload" }, 1)
  }

  @Test func `D5 The other host counts the old rows before a batch`() {
    let outer = LazyHost()
    let host = EmbeddedListHost(in: outer, rows: 1)
    var list: [Row] = []
    let adapter = ListAdapter(host: host) { list }
    // A button, and then the list.
    outer.rowCount = { [unowned adapter] in 1 + adapter.rows.count }
    for ids in [[1], [1, 2]] {
      list = ids.map { Row(id: $0) }
      adapter.performUpdates()
      adapter.performPendingUpdates()
    }
    expectEqual(outer.batchCount, 1)
    expectEqual(outer.refusals, [])
    expectEqual(host.shownRowCounts, nil)
  }

  @Test func `Headers and rows are reloaded at the host's positions`() {
    let outer = PlainHost()
    let host = EmbeddedListHost(in: outer, sections: 2, rows: 3)
    host.reloadList(rows: [path(0, 1)], headers: [1], animated: true)
    host.reloadData()
    expectEqual(outer.takeCalls(), ["reload 2.4, reload header 3", "reload"])
    outer.isListShown = false
    expectEqual(host.isListShown, false)
  }

  @Test func `Without the other host it isn't shown, and the completion gets false`() {
    var outer: PlainHost? = PlainHost()
    let host = outer.map { EmbeddedListHost(in: $0) }
    outer = nil
    expectEqual(host?.isListShown, false)
    var isUpdated = false
    var answers: [Bool] = []
    let pass = ListPresentation(of: ListChanges(deletes: [path(0)])).passes[0]
    host?.performBatchUpdates(
      pass, animated: true, updateData: { isUpdated = true }, completion: { answers.append($0) })
    expectEqual(isUpdated, true)
    expectEqual(answers, [false])
  }

  @Test func `The other host that doesn't take the new data is named`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      let outer = ForgetfulHost()
      EmbeddedListHost(in: outer).performBatchUpdates(ListChanges(deletes: [path(0)]), of: [1]) {}
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("The host ForgetfulHost has returned"))
  }

  @Test func `Fewer than none before the list traps`() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      _ = EmbeddedListHost(in: PlainHost(), rows: -1)
    }
  }
}

/// A host that counts its rows when it is asked, or else in the batch, as a collection view does.
@MainActor
private final class LazyHost: ListUpdating {
  /// The number of rows in the data that the host reads.
  var rowCount: () -> Int = { 0 }

  private var counted: Int?
  private(set) var batchCount = 0
  private(set) var refusals: [String] = []

  var shownRowCounts: [Int]? { [count()] }

  private func count() -> Int {
    let count = counted ?? rowCount()
    counted = count
    return count
  }

  func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    batchCount += 1
    updateData()
    let (before, after) = (count(), rowCount())
    if before - pass.deletes.count + pass.inserts.count != after {
      refusals.append("\(pass): \(before) before, \(after) after")
    }
    counted = after
    completion(true)
  }

  func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {}

  func reloadData() { counted = nil }
}
