import Testing

@testable import EntityStore

@Suite struct `Versions that observers read before the store merges them` {
  @Test
  func `P5 F1: a version between others is noticed when they are taken in, the last one isn't`() {
    for version in Int64(1)...6 {
      var reads = AheadReads()
      reads.begin()
      let said1 = reads.end(version, merged: 1)
      #expect(said1)
      // 2 to 4 come together: who has read 2 or 3 knows a part of them.
      let said2 = reads.cross(2...4)
      #expect(said2 == [2, 3].contains(version))
      // Said once; what is beyond is asked about with the next.
      let said3 = reads.cross(5...7)
      #expect(said3 == [5, 6].contains(version))
      let said4 = reads.cross(8...9)
      #expect(!said4)
    }
  }

  @Test
  func `P5 F1: a read of a version that was merged with later ones is repeated`() {
    for version in Int64(1)...9 {
      var reads = AheadReads()
      reads.begin()
      _ = reads.cross(2...4)
      _ = reads.cross(5...5)
      _ = reads.cross(6...8)
      let said5 = reads.end(version, merged: 8)
      #expect(said5 == ![2, 3, 6, 7].contains(version))
      // What was taken in before a read began doesn't concern it.
      reads.begin()
      let said6 = reads.end(8, merged: 8)
      #expect(said6)
      reads.begin()
      let said7 = reads.end(3, merged: 8)
      #expect(said7)
    }
  }

  @Test func `P5 F1: a version between others is noticed again if the merge has failed`() {
    var reads = AheadReads()
    reads.begin()
    _ = reads.end(4, merged: 1)
    let said11 = reads.cross(2...4)
    #expect(!said11)
    // Another version has come since.
    let said12 = reads.cross(2...5)
    #expect(said12)
    let said13 = reads.cross(2...5)
    #expect(said13)
  }

  @Test func `F1: a failed read leaves nothing behind, and keeps no ranges`() {
    var reads = AheadReads()
    reads.begin()
    reads.begin()
    _ = reads.cross(2...4)
    let said8 = reads.end(nil, merged: 4)
    #expect(said8)
    let said9 = reads.end(3, merged: 4)
    #expect(!said9)
    reads.begin()
    let said10 = reads.end(3, merged: 4)
    #expect(said10)
  }
}
