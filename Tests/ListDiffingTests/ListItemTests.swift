import ListDiffing
import TestSupport
import Testing

@Suite struct `Items of lists` {
  @Test func `Items are the identifiers in their order, and no two are equal`() {
    withEvery("ids", in: sequences(of: ["a", "b", "c"], upTo: 5)) { ids in
      let items = ListItem.numbering(ids)
      expectEqual(items.map(\.id), ids)
      expectEqual(Set(items).count, ids.count)
    }
  }

  @Test func `The copies of each identifier are numbered from 0 up`() {
    withEvery("ids", in: sequences(of: [1, 2, 3], upTo: 5)) { ids in
      let items = ListItem.numbering(ids)
      for id in Set(ids) {
        let copies = items.filter { $0.id == id }.map(\.copy)
        expectEqual(copies, Array(copies.indices))
      }
    }
  }

  @Test func `A list without copies has the same items in any order`() {
    let items = Set(ListItem.numbering([1, 2, 3]))
    withEvery("ids", in: permutations(of: [1, 2, 3])) { ids in
      expectEqual(Set(ListItem.numbering(ids)), items)
    }
  }

  @Test func `An item is described by its identifier, and by its number if it is a copy`() {
    let items = ListItem.numbering(["tea", "milk", "tea"])
    #expect(items.map(\.description) == ["tea", "milk", "tea (copy 1)"])
  }
}
