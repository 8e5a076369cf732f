import ListDiffing
import TestSupport
import Testing

@MainActor
@Suite struct `An adapter of a flat list` {
  @Test func `The first update reloads the host, later ones are batches`() {
    let source = PlainSource([1, 2])
    let host = PlainHost()
    let adapter = ListAdapter(host: host, dataSource: source)
    expectEqual(adapter.rows, [])
    adapter.performUpdates()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["reload"])
    expectEqual(adapter.rows, source.rows)
    source.rows = [Row(id: 2, version: 1), Row(id: 3)]
    adapter.performUpdates()
    adapter.performPendingUpdates()
    expectEqual(host.takeCalls(), ["delete 0.0, insert 0.1", "reload 0.0"])
    expectEqual(adapter.rows, source.rows)
  }

  @Test func `Calls of one turn become one update, for which the data source is asked once`() async
  {
    let list = PlainList([1])
    let answered = Notes<String>()
    list.source.rows.append(Row(id: 2))
    list.adapter.performUpdates { answered.add("first \($0)") }
    list.source.rows.append(Row(id: 3))
    list.adapter.performUpdates { answered.add("second \($0)") }
    expectEqual(list.host.calls, [])
    expectEqual(list.source.askedCount, 1)
    await nextTurn()
    expectEqual(list.host.calls, ["insert 0.1, insert 0.2"])
    expectEqual(list.source.askedCount, 2)
    expectEqual(answered.values, ["first true", "second true"])
    await nextTurn()
    expectEqual(list.source.askedCount, 2)
  }

  @Test func `It is animated if all calls are`() {
    let list = PlainList([1])
    list.source.rows = []
    list.adapter.performUpdates(animated: false)
    list.adapter.performUpdates(animated: true)
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["delete 0.0, at once"])
    list.show([1])
    expectEqual(list.host.takeCalls(), ["insert 0.0"])
    list.adapter.reloadRows([Row(id: 1)], animated: false)
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["reload 0.0, at once"])
  }

  @Test func `Without a call the data source isn't asked`() async {
    let list = PlainList([1])
    await nextTurn()
    list.adapter.performPendingUpdates()
    expectEqual(list.source.askedCount, 1)
    list.adapter.performUpdates()
    list.adapter.performPendingUpdates()
    list.adapter.performPendingUpdates()
    await nextTurn()
    expectEqual(list.source.askedCount, 2)
  }

  @Test func `Where nothing changed the host isn't called, and the completion is`() {
    let list = PlainList([1, 2])
    let answered = Notes<Bool>()
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.performPendingUpdates()
    expectEqual(list.host.calls, [])
    expectEqual(answered.values, [true])
  }

  @Test func `A moved row is reloaded only if its content changed`() {
    let list = PlainList([1, 2, 3])
    list.show([2, 3, 1])
    expectEqual(list.host.takeCalls(), ["move 0.0 → 0.2"])
    list.source.rows = [Row(id: 1, version: 1), Row(id: 2), Row(id: 3)]
    list.adapter.performUpdates()
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["move 0.2 → 0.0", "reload 0.0"])
  }

  @Test func `Above the limit the host reloads`() {
    let list = PlainList([1, 2, 3], reloadLimit: 2)
    list.show([1])
    expectEqual(list.host.takeCalls(), ["delete 0.1, delete 0.2"])
    list.show([2, 3])
    expectEqual(list.host.takeCalls(), ["reload"])
    list.adapter.reloadLimit = nil
    list.show([1])
    expectEqual(list.host.takeCalls(), ["delete 0.0, delete 0.1, insert 0.0"])
  }

  @Test func `A host that isn't shown, or shows other counts, reloads`() {
    let list = PlainList([1, 2])
    list.host.isListShown = false
    list.show([1])
    expectEqual(list.host.takeCalls(), ["reload"])
    list.host.isListShown = true
    list.host.shownRowCounts = [2]
    list.show([1, 3])
    expectEqual(list.host.takeCalls(), ["reload"])
    list.host.shownRowCounts = [2]
    list.show([1])
    expectEqual(list.host.takeCalls(), ["delete 0.1"])
  }

  @Test func `A new host is reloaded, one set again isn't`() {
    let list = PlainList([1, 2])
    let other = PlainHost()
    list.adapter.host = other
    list.show([1])
    expectEqual(other.takeCalls(), ["reload"])
    list.adapter.host = other
    list.show([])
    expectEqual(other.takeCalls(), ["delete 0.0"])
    expectEqual(list.host.takeCalls(), [])
  }

  @Test func `reloadData redraws everything, whatever else is requested`() {
    let list = PlainList([1, 2])
    let answered = Notes<Bool>()
    list.source.rows = [Row(id: 3)]
    list.adapter.performUpdates { answered.add($0) }
    list.adapter.reloadData { answered.add($0) }
    list.adapter.reloadRows([Row(id: 3)])
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["reload"])
    expectEqual(answered.values, [true, true])
    expectEqual(list.adapter.rows, [Row(id: 3)])
    list.show([4])
    expectEqual(list.host.takeCalls(), ["delete 0.0, insert 0.0"])
  }

  @Test func `reloadRows redraws rows that look the same, moved ones and copies too`() {
    let list = PlainList([1, 2, 3])
    list.adapter.reloadRows([Row(id: 2)])
    list.adapter.reloadRows([Row(id: 3), Row(id: 9)])
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["reload 0.1, reload 0.2"])
    list.source.rows = [3, 3, 1, 2].map { Row(id: $0) }
    list.adapter.reloadRows([Row(id: 3)])
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["insert 0.1, move 0.2 → 0.0", "reload 0.0"])
    list.adapter.reloadRows([Row(id: 3)])
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), ["reload 0.0, reload 0.1"])
    list.adapter.performUpdates()
    list.adapter.performPendingUpdates()
    expectEqual(list.host.takeCalls(), [])
  }

  @Test func `A closure can replace a data source, and only while there is an adapter`() async {
    let host = PlainHost()
    var rows = [Row(id: 1)]
    let answered = Notes<Bool>()
    var adapter: ListAdapter<NoHeader, Row>? = ListAdapter(host: host) { rows }
    adapter?.performUpdates()
    adapter?.performPendingUpdates()
    expectEqual(adapter?.rows, rows)
    rows = []
    adapter?.performUpdates { answered.add($0) }
    adapter = nil
    await nextTurn()
    expectEqual(host.calls, ["reload"])
    expectEqual(answered.values, [false])
  }

  @Test func `Copies of an identifier do no harm`() {
    let list = PlainList([1, 1, 2])
    withEvery("ids", in: sequences(of: [1, 2, 3], upTo: 4)) { ids in
      list.show(ids)
      expectEqual(list.host.drawn, [list.source.rows])
    }
  }

  @Test func `D5 Any changes of any lists, in any style, end with what the data source has`() {
    for style in ListPresentation.Style.allCases {
      withEvery("seed", in: seeds(300)) { seed in
        var generator = SeededGenerator(seed: seed)
        let list = PlainList([])
        list.host.listUpdateStyle = style
        for _ in 0..<6 {
          let size = Int.random(in: 0...12, using: &generator)
          list.source.rows = (0..<size).map { _ in
            Row(
              id: Int.random(in: 0..<15, using: &generator),
              version: Int.random(in: 0...1, using: &generator))
          }
          list.adapter.performUpdates()
          list.adapter.performPendingUpdates()
          expectEqual(list.adapter.rows, list.source.rows)
          expectEqual(list.host.drawn, [list.source.rows])
        }
      }
    }
  }

  @Test func `A closure may return rows or sections, also where both would fit`() {
    let host = PlainHost()
    let none: ListAdapter<NoHeader, Row> = ListAdapter(host: host) { [] }
    expectEqual(none.sections.count, 1)
    let sorted = ListAdapter(host: host) {
      var rows = [Row(id: 2), Row(id: 1)]
      rows.sort { $0.id < $1.id }
      return rows
    }
    sorted.performUpdates()
    sorted.performPendingUpdates()
    expectEqual(sorted.rows.map(\.id), [1, 2])
    let sectioned = ListAdapter(host: host) {
      [ListSection(header: Row(id: 1), rows: [Row(id: 2)])]
    }
    expectEqual(sectioned.sections.count, 0)
  }
}
