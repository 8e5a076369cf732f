import ListDiffing
import TestSupport
import Testing

@MainActor
@Suite struct `Reentrant calls of an adapter, and its completions` {
  @Test func `A call by the data source goes into the next update`() async {
    let list = PlainList([1])
    var isFirst = true
    list.source.whenAsked = { [unowned adapter = list.adapter] in
      guard isFirst else { return }
      isFirst = false
      adapter.performUpdates()
      adapter.performPendingUpdates()
    }
    list.show([1, 2])
    expectEqual(list.host.takeCalls(), ["insert 0.1"])
    expectEqual(list.source.askedCount, 2)
    await nextTurn()
    expectEqual(list.source.askedCount, 3)
    expectEqual(list.host.takeCalls(), [])
  }

  @Test func `Calls by the host during a batch go into the next update`() async {
    let list = PlainList([1])
    list.host.duringBatch = {
      [unowned list = list.host, unowned adapter = list.adapter, source = list.source] in
      list.duringBatch = nil
      source.rows = [Row(id: 5)]
      adapter.reloadData()
      adapter.performPendingUpdates()
    }
    list.show([1, 2])
    expectEqual(list.host.takeCalls(), ["insert 0.1"])
    expectEqual(list.adapter.rows.map(\.id), [1, 2])
    await nextTurn()
    expectEqual(list.host.takeCalls(), ["reload"])
    expectEqual(list.adapter.rows.map(\.id), [5])
  }

  @Test func `A call during an update starts another one, also if it is the only call`() async {
    let list = PlainList([1])
    await nextTurn()
    var isFirst = true
    list.source.whenAsked = { [unowned adapter = list.adapter] in
      guard isFirst else { return }
      isFirst = false
      adapter.performUpdates()
    }
    list.adapter.performUpdates()
    await nextTurn()
    await nextTurn()
    expectEqual(list.source.askedCount, 3)
  }

  @Test func `A host that is set during an update is reloaded, at once if nothing was shown yet`() {
    let list = PlainList([1])
    let (second, third) = (PlainHost(), PlainHost())
    list.source.whenAsked = { [unowned adapter = list.adapter] in adapter.host = second }
    list.show([1, 2])
    list.source.whenAsked = nil
    expectEqual(list.host.takeCalls(), [])
    expectEqual(second.takeCalls(), ["reload"])
    second.duringBatch = { [unowned adapter = list.adapter] in adapter.host = third }
    list.show([1])
    expectEqual(second.takeCalls(), ["delete 0.1"])
    expectEqual(third.takeCalls(), [])
    list.show([1, 3])
    expectEqual(second.takeCalls(), [])
    expectEqual(third.takeCalls(), ["reload"])
    list.show([])
    expectEqual(third.takeCalls(), ["delete 0.0, delete 0.1"])
  }

  @Test func `A completion may have the next update carried out at once`() {
    let list = PlainList([1])
    list.adapter.performUpdates { [unowned adapter = list.adapter, source = list.source] _ in
      source.rows = []
      adapter.performUpdates()
      adapter.performPendingUpdates()
      expectEqual(adapter.rows, [])
    }
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["delete 0.0"])
  }

  @Test func `A host that brings data up to date once more, too late, changes nothing`() {
    let host = ForgetfulHost()
    var rows = [1]
    let adapter = ListAdapter(host: host) { rows }
    host.isForgetful = false
    for count in 1...3 {
      rows = Array(0..<count)
      adapter.performUpdates()
      adapter.performPendingUpdates()
      host.updates.first?()
      expectEqual(adapter.rows, rows)
    }
    expectEqual(host.updates.count, 2)
  }

  @Test func `A completion may ask for the next update, and sees this one done`() async {
    let list = PlainList([1])
    let answered = Notes<[Int]>()
    list.source.rows = [Row(id: 2)]
    list.adapter.performUpdates { [unowned adapter = list.adapter, source = list.source] _ in
      answered.add(adapter.rows.map(\.id))
      source.rows = [Row(id: 3)]
      adapter.performUpdates { _ in answered.add(adapter.rows.map(\.id)) }
    }
    list.adapter.performPendingUpdates()
    expectEqual(answered.values, [[2]])
    await nextTurn()
    expectEqual(answered.values, [[2], [3]])
  }

  @Test func `A completion waits for the host, and for each of its passes`() {
    let list = PlainList([1])
    let answered = Notes<Bool>()
    list.host.answering = .later
    list.source.rows = [Row(id: 2)]
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    expectEqual(answered.values, [])
    // The list doesn't wait.
    list.show([3])
    expectEqual(list.host.drawn, [[Row(id: 3)]])
    list.host.answer(false)
    expectEqual(answered.values, [false])
  }

  @Test func `An update in stages is over when all its passes are`() throws {
    let host = PlainHost()
    host.listUpdateStyle = .stages
    host.answering = .later
    var list = [Section(header: Row(id: 1), rows: [Row(id: 1), Row(id: 2)])]
    let adapter = ListAdapter(host: host) { list }
    host.rows = { [unowned adapter] in adapter.sections.map(\.rows) }
    adapter.performUpdates()
    adapter.performPendingUpdates()
    list = [Section(header: Row(id: 2), rows: [Row(id: 2), Row(id: 3)])]
    let answered = Notes<Bool>()
    adapter.performUpdates { answered.add($0) }
    adapter.performPendingUpdates()
    expectEqual(
      host.calls,
      ["reload", "insert section 0", "delete 1.0, insert 0.1, move 1.1 → 0.0", "delete section 1"])
    expectEqual(host.drawn, [list[0].rows])
    try #require(host.answers.count == 3)
    host.answers[0](true)
    host.answers[1](true)
    expectEqual(answered.values, [])
    host.answers[2](true)
    expectEqual(answered.values, [true])
  }

  @Test func `An answer given twice counts once, one that is dropped counts as false`() async {
    let list = PlainList([1])
    let answered = Notes<Bool>()
    list.host.answering = .twice
    list.source.rows = []
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    expectEqual(answered.values, [true])
    list.host.answering = .never
    list.source.rows = [Row(id: 1)]
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    await nextTurn()
    expectEqual(answered.values, [true, false])
    list.host.answering = .later
    list.source.rows = []
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    list.host.dropAnswers()
    await nextTurn()
    expectEqual(answered.values, [true, false, false])
  }

  @Test func `Without a host or a data source the completion gets false, and nothing is lost`() {
    let list = PlainList([1])
    let answered = Notes<Bool>()
    list.adapter.host = nil
    list.source.rows = [Row(id: 2)]
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    list.adapter.host = list.host
    list.adapter.dataSource = nil
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    expectEqual(answered.values, [false, false])
    expectEqual(list.adapter.rows, [Row(id: 1)])
    list.adapter.dataSource = list.source
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    expectEqual(answered.values, [false, false, true])
    expectEqual(list.host.drawn, [[Row(id: 2)]])
  }

  @Test func `An update can be awaited`() async {
    let list = PlainList([1])
    list.source.rows = [Row(id: 2)]
    #expect(await list.adapter.performUpdatesAsync())
    expectEqual(list.host.takeCalls(), ["delete 0.0, insert 0.0"])
    list.source.rows = []
    #expect(await list.adapter.performUpdatesAsync(animated: false))
    expectEqual(list.host.takeCalls(), ["delete 0.0, at once"])
    list.adapter.host = nil
    #expect(await !list.adapter.performUpdatesAsync())
    let sections = ListAdapter<Row, Row>(host: list.host) { [] }
    #expect(await sections.performUpdatesAsync())
  }

  @Test func `Every completion of a random run is called once, in the order of the calls`() async {
    for seed in seeds(100) {
      var generator = SeededGenerator(seed: seed)
      let list = PlainList([])
      let answered = Notes<Int>()
      for call in 0..<40 {
        list.source.rows = (0..<Int.random(in: 0...5, using: &generator)).map { Row(id: $0) }
        list.host.isListShown = generator.chance(0.8)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: list.adapter.performUpdates { _ in answered.add(call) }
        case 1: list.adapter.reloadData { _ in answered.add(call) }
        default: list.adapter.reloadRows(list.source.rows) { _ in answered.add(call) }
        }
        if generator.chance(0.2) { await nextTurn() }
        if generator.chance(0.2) { list.adapter.performPendingUpdates() }
      }
      await nextTurn()
      expectEqual(answered.values, Array(0..<40))
      expectEqual(list.host.drawn, [list.source.rows])
    }
  }

  @Test func `It holds neither host nor data source, and nothing holds it`() async {
    let tracker = LifetimeTracker()
    weak var adapter: ListAdapter<NoHeader, Row>?
    weak var host: PlainHost?
    weak var source: PlainSource?
    do {
      let list = PlainList([1])
      (adapter, host, source) = (list.adapter, list.host, list.source)
      let object = tracker.track()
      list.host.answering = .later
      list.source.rows = []
      list.adapter.performUpdates { _ in _ = object }
      list.adapter.performPendingUpdates()
      list.adapter.performUpdates { _ in _ = object }
    }
    await nextTurn()
    await nextTurn()
    #expect(adapter == nil)
    #expect(host == nil)
    #expect(source == nil)
    expectEqual(tracker.aliveCount, 0)
  }

  @Test func `Its host and its data source may be released before it, however they were given`() {
    for isGivenLater in [false, true] {
      weak var host: PlainHost?
      weak var source: PlainSource?
      let adapter: ListAdapter<NoHeader, Row>
      do {
        let (someHost, someSource) = (PlainHost(), PlainSource([1]))
        (host, source) = (someHost, someSource)
        adapter =
          isGivenLater ? ListAdapter() : ListAdapter(host: someHost, dataSource: someSource)
        if isGivenLater {
          adapter.host = someHost
          adapter.dataSource = someSource
        }
        adapter.performUpdates()
        adapter.performPendingUpdates()
      }
      #expect(host == nil)
      #expect(source == nil)
      expectEqual(adapter.rows, [Row(id: 1)])
    }
  }

  @Test func `A host that doesn't take the new data traps and is named`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      let host = ForgetfulHost()
      var rows = [1]
      let adapter = ListAdapter(host: host) { rows }
      adapter.performUpdates()
      adapter.performPendingUpdates()
      rows = [2]
      adapter.performUpdates()
      adapter.performPendingUpdates()
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("ForgetfulHost has returned from performBatchUpdates"))
  }
}

/// A host that keeps `updateData`, and doesn't call it unless told so.
final class ForgetfulHost: ListUpdating {
  var isForgetful = true
  private(set) var updates: [() -> Void] = []

  func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    updates.append(updateData)
    if !isForgetful { updateData() }
  }

  func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {}
  func reloadData() {}
}
