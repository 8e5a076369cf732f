import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

extension ChoreList {
  fileprivate var lateFirst: Many<ChoreList, Chore> {
    Many(\.list) { [($0.due < Moment.now).descending] }
  }
}

/// Joins chores to lists, those that are late first.
private struct Entry: Entity {
  let id: Int
  var list: Ref<ChoreList>
  var chore: Ref<Chore>
  static let attributes = Attributes(
    .id(\Entry.id), .one("list", \.list), .one("chore", \.chore))
  static let schema = Schema(attributes, Entry.init)
}

extension ChoreList {
  fileprivate var entries: Many<ChoreList, Entry> {
    Many(\.list) { [($0.chore.due < Moment.now).descending] }
  }
}

@Suite struct TimedRelationshipTests {
  @Test(arguments: TestStorage.withServer)
  func `F17: the order of a relationship may have a condition of time`(_ storage: TestStorage)
    throws
  {
    let clock = SetClock(100)
    let store = try Store(
      storage.backing, entities: [Chore.self, ChoreList.self, Entry.self], time: clock.source)
    try store.commit { draft in
      try draft.insert(ChoreList(1, opens: 0))
      for id in 1...3 {
        try draft.insert(Chore(id, due: id == 2 ? 50 : 200, list: 1))
        try draft.insert(Entry(id: id, list: Ref(1), chore: Ref(id)))
      }
    }
    let list = Ref<ChoreList>(1)
    #expect(try store.fetch(\.lateFirst, of: list).map(\.id) == [2, 1, 3])
    #expect(try store.read { try $0.fetch(\.lateFirst, of: list).map(\.id) } == [2, 1, 3])
    #expect(try store.fetch(\.entries, \.chore, of: list).map(\.id) == [2, 1, 3])
    try store.commit { draft in
      let late = try draft.fetch(\.lateFirst, of: list).map(\.id)
      let joined = try draft.fetch(\.entries, \.chore, of: list).map(\.id)
      #expect(late == [2, 1, 3] && joined == [2, 1, 3])
    }
    clock.now = 300
    #expect(try store.fetch(\.lateFirst, of: list).map(\.id) == [1, 2, 3])
  }
}
