import ListDiffing
import TestSupport
import Testing

@Suite struct NestedArrayDiffTests {
  @Test func `nested arrays are compared as sections that are known by their positions`() {
    let diff = SectionedListDiff(
      from: [["Golf", "Polo"], ["Panda"]], to: [["Polo"], ["Golf", "Panda"]])
    #expect("\(diff.changes)" == "move 0.0 → 1.0")
    let shorter = SectionedListDiff(from: [[1, 2], [3]], to: [[1, 2]])
    #expect("\(shorter.changes)" == "delete section 1, delete 1.0")
    #expect(SectionedListDiff(from: [[Int]](), to: []).changes.isEmpty)
  }

  @Test func `D2: a diff of nested arrays leads from any to any`() {
    let lists: [[[Int]]] = [
      [], [[]], [[1, 2], [3]], [[3], [2, 1]], [[2], [], [1, 3]], [[1, 2, 3]],
    ]
    for old in lists {
      for new in lists {
        let diff = SectionedListDiff(from: old, to: new)
        var list = diff.old
        diff.changes.apply(to: &list, header: { $0 }, row: { new[$0.section][$0.row] })
        #expect(list.map(\.rows) == new)
      }
    }
  }

}
