import ListDiffing
import TestSupport
import Testing

@MainActor
@Suite struct `An adapter of a list with sections` {
  /// A data source with sections.
  private final class Source: ListAdapterDataSource {
    var sections: [Section] = []

    func sections(for adapter: ListAdapter<Row, Row>) -> [Section] { sections }
  }

  private func showing(
    _ sections: [Section], style: ListPresentation.Style = .passThenReload
  ) -> (Source, PlainHost, ListAdapter<Row, Row>) {
    let (source, host) = (Source(), PlainHost())
    host.listUpdateStyle = style
    let adapter = ListAdapter(host: host, dataSource: source)
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

  @Test func `Each call is animated and answered as one of a flat list`() {
    let (source, host, adapter) = showing([Section(header: Row(id: 1), rows: [Row(id: 10)])])
    _ = host.takeCalls()
    let answered = Notes<String>()
    source.sections[0].rows = []
    adapter.performUpdates(animated: false) { answered.add("updated \($0)") }
    adapter.performPendingUpdates()
    source.sections[0].rows = [Row(id: 10)]
    adapter.performUpdates()
    adapter.performPendingUpdates()
    adapter.reloadRows([Row(id: 10)], animated: false) { answered.add("reloaded rows \($0)") }
    adapter.performPendingUpdates()
    adapter.reloadData { answered.add("reloaded \($0)") }
    adapter.performPendingUpdates()
    expectEqual(
      host.takeCalls(), ["delete 0.0, at once", "insert 0.0", "reload 0.0, at once", "reload"])
    expectEqual(answered.values, ["updated true", "reloaded rows true", "reloaded true"])
  }

  @Test func `A moved header that looks the same isn't reloaded`() {
    let headers = (1...3).map { Section(header: Row(id: $0), rows: []) }
    let (source, host, adapter) = showing(headers)
    _ = host.takeCalls()
    source.sections = [headers[2], headers[0], headers[1]]
    adapter.performUpdates()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["move section 2 → 0"])
  }

  @Test func `Above the limit the host reloads, also after a change of the limit`() {
    let host = PlainHost()
    var sections: [Section] = []
    let adapter = ListAdapter(host: host, reloadLimit: 1) { sections }
    for count in 0...3 {
      sections = (0..<count * (count + 1) / 2).map { Section(header: Row(id: $0), rows: []) }
      if count == 3 { adapter.reloadLimit = 3 }
      adapter.performUpdates()
      adapter.performPendingUpdates()
    }
    expectEqual(adapter.reloadLimit, 3)
    expectEqual(
      host.calls,
      [
        "reload", "insert section 0", "reload",
        "insert section 3, insert section 4, insert section 5",
      ])
  }

  @Test func `It holds neither host nor data source, and nothing holds it`() async {
    weak var adapter: ListAdapter<Row, Row>?
    weak var host: PlainHost?
    weak var source: Source?
    do {
      (source, host, adapter) = showing([Section(header: Row(id: 1), rows: [])])
    }
    await nextTurn()
    await nextTurn()
    #expect(adapter == nil)
    #expect(host == nil)
    #expect(source == nil)
  }

  @Test func `Its host and its data source may be released before it`() {
    weak var host: PlainHost?
    weak var source: Source?
    let adapter: ListAdapter<Row, Row>
    do {
      (source, host, adapter) = showing([Section(header: Row(id: 1), rows: [])])
    }
    #expect(host == nil)
    #expect(source == nil)
    expectEqual(adapter.sections.count, 1)
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
    for style in ListPresentation.Style.allCases {
      let (source, host, adapter) = showing([], style: style)
      withEvery("seed", in: seeds(300)) { seed in
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

  @Test func `A host that isn't shown, or shows other counts, reloads for changes found elsewhere`()
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

  @Test
  func `The completion of changes found elsewhere is called once, with false if it is dropped`()
    async
  {
    let host = PlainHost()
    let answered = Notes<Bool>()
    for answering in [PlainHost.Answering.twice, .never, .later] {
      host.answering = answering
      host.performBatchUpdates(ListChanges(deletes: [path(0)]), of: [1]) {
      } completion: {
        answered.add($0)
      }
      await nextTurn()
    }
    expectEqual(answered.values, [true, false])
    host.answer(true)
    expectEqual(answered.values, [true, false, true])
  }

  @Test func `A host that forgets or repeats the new data does no harm to changes found elsewhere`()
    async
  {
    await #expect(processExitsWith: .failure) { @MainActor in
      ForgetfulHost().performBatchUpdates(ListChanges(deletes: [path(0)]), of: [1]) {}
    }
    let host = PlainHost()
    host.isUpdatingTwice = true
    var updates = 0
    host.performBatchUpdates(ListChanges(deletes: [path(0)]), of: [1]) { updates += 1 }
    expectEqual(updates, 1)
  }

  @Test func `Changes found elsewhere that don't fit trap before the data change`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      PlainHost().performBatchUpdates(ListChanges(deletes: [path(2)]), of: [2]) {
        print("updated")
      }
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("Rule a: the old list has no row 0.2 (section 0: 2 rows before"))
  }

  @Test func `D5 A host shows changes that were found elsewhere`() {
    withEvery("seed", in: seeds(300)) { seed in
      let lists = SectionedCase(seed: seed)
      for style in ListPresentation.Style.allCases {
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

  @Test func `D5 A host that is given changes shows them in its style and reports the outcome`() {
    let host = PlainHost()
    host.answering = .later
    let answered = Notes<Bool>()
    func show(_ changes: ListChanges, animated: Bool = true, isChanged: Bool = true) -> [String] {
      host.performBatchUpdates(
        changes, of: [2, 0], animated: animated, isMovedRowChanged: { _ in isChanged },
        isMovedHeaderChanged: { _ in isChanged }, updateData: {}, completion: { answered.add($0) })
      return host.takeCalls()
    }
    let update = ListChanges(updates: [change(0, 0)])
    let move = ListChanges(moves: [change(0, 1)])
    let header = ListChanges(updatedSections: [PositionChange(old: 1, new: 1)])
    let section = ListChanges(movedSections: [PositionChange(old: 1, new: 0)])
    expectEqual(show(update), ["reload 0.0"])
    expectEqual(show(update, animated: false), ["reload 0.0, at once"])
    expectEqual(show(header), ["reload header 1"])
    expectEqual(answered.values, [true, true, true])
    expectEqual(show(move, animated: false), ["move 0.0 → 0.1, at once", "reload 0.1, at once"])
    expectEqual(show(move, isChanged: false), ["move 0.0 → 0.1"])
    expectEqual(show(section), ["move section 1 → 0", "reload header 0"])
    expectEqual(show(section, isChanged: false), ["move section 1 → 0"])
    host.listUpdateStyle = .singlePass
    expectEqual(show(update), ["delete 0.0, insert 0.0"])
    expectEqual(answered.values, [true, true, true])
    host.answer(false)
    expectEqual(answered.values, [true, true, true] + Array(repeating: false, count: 5))
  }
}
