import ListDiffing
import TestSupport
import Testing

@MainActor
@Suite struct `An adapter of a list with sections` {
  /// A data source with sections.
  private final class Source: SectionedListAdapterDataSource {
    var sections: [Section] = []

    func sections(for adapter: SectionedListAdapter<Row, Row>) -> [Section] { sections }
  }

  private func showing(
    _ sections: [Section], style: ListUpdateStyle = .passThenReload
  ) -> (Source, PlainHost, SectionedListAdapter<Row, Row>) {
    let (source, host) = (Source(), PlainHost())
    host.listUpdateStyle = style
    let adapter = SectionedListAdapter(host: host, dataSource: source)
    host.rows = { [unowned adapter] in adapter.sections.map(\.rows) }
    source.sections = sections
    adapter.performUpdates()
    adapter.performPendingUpdates()
    return (source, host, adapter)
  }

  @Test func `Rows and headers that changed are reloaded, what moved the same way isn't`() {
    let (source, host, adapter) = showing([
      Section(header: Row(id: 1), rows: [Row(id: 10)]), Section(header: Row(id: 2), rows: []),
    ])
    expectEqual(host.takeCalls(), ["reload"])
    source.sections = [
      Section(header: Row(id: 2, version: 1), rows: []),
      Section(header: Row(id: 1), rows: [Row(id: 10)]),
    ]
    adapter.performUpdates()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["move section 1 → 0", "reload header 0"])
    source.sections[0].header.version = 2
    source.sections[1].rows[0].version = 1
    adapter.performUpdates()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["reload 1.0, reload header 0"])
    adapter.reloadRows([Row(id: 10)])
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["reload 1.0"])
    adapter.reloadData()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["reload"])
    expectEqual(adapter.sections, source.sections)
  }

  @Test func `The adapter's style wins over the host's`() {
    let (source, host, adapter) = showing([Section(header: Row(id: 1), rows: [Row(id: 10)])])
    _ = host.takeCalls()
    adapter.updateStyle = .singlePass
    source.sections[0].rows[0].version = 1
    adapter.performUpdates()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["delete 0.0, insert 0.0"])
    adapter.updateStyle = nil
    source.sections[0].rows[0].version = 2
    adapter.performUpdates()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["reload 0.0"])
  }

  @Test func `D5 Any lists, in any style, are shown one after the other`() {
    for style in ListUpdateStyle.allCases {
      let (source, host, adapter) = showing([], style: style)
      withEvery("seed", in: 0..<300) { seed in
        let lists = SectionedCase(seed: seed)
        for list in [lists.old, lists.new] {
          source.sections = list
          adapter.performUpdates()
          adapter.performPendingUpdates()
          expectEqual(adapter.sections, list)
          expectEqual(host.drawn, list.map(\.rows))
        }
      }
    }
  }

  @Test func `A host that isn't shown, or shows other counts, reloads for somebody else's changes`()
  {
    let host = PlainHost()
    var answers: [Bool] = []
    for (isShown, counts) in [(false, nil), (true, [3])] {
      host.isListShown = isShown
      host.shownRowCounts = counts
      var isUpdated = false
      host.performBatchUpdates(ListChanges(deletes: [path(0)]), of: [2]) {
        isUpdated = true
      } completion: {
        answers.append($0)
      }
      expectEqual(isUpdated, true)
      expectEqual(host.takeCalls(), ["reload"])
    }
    expectEqual(answers, [true, true])
    host.shownRowCounts = [2]
    host.performBatchUpdates(ListChanges(deletes: [path(0)]), of: [2]) {}
    expectEqual(host.takeCalls(), ["delete 0.0"])
  }

  @Test func `Somebody else's changes that don't fit trap before the data change`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      PlainHost().performBatchUpdates(ListChanges(deletes: [path(2)]), of: [2]) {
        print("updated")
      }
    }
    #if DEBUG
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("Rule a: the old list has no row 0.2 (section 0: 2 rows before"))
    #else
    _ = result
    #endif
  }

  @Test func `D5 A host shows changes that somebody else has found`() {
    withEvery("seed", in: 0..<300) { seed in
      let lists = SectionedCase(seed: seed)
      for style in ListUpdateStyle.allCases {
        let host = PlainHost()
        host.listUpdateStyle = style
        var shown = lists.old
        let answered = Notes<Bool>()
        host.rows = { shown.map(\.rows) }
        host.reloadData()
        host.performBatchUpdates(lists.changes, of: lists.old.map(\.rows.count)) {
          shown = lists.new
        } completion: {
          answered.add($0)
        }
        expectEqual(host.drawn, lists.new.map(\.rows))
        expectEqual(answered.values, [true])
      }
    }
  }
}
