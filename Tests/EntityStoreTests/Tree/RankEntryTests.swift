import TestSupport
import Testing

@testable import EntityStore

@Suite struct RankEntryTests {
  @Test func `An entry gives back what it was made of`() {
    let prefixes: [UInt64] = [0, 1, 0xFFFF_FFFF, 0x1_0000_0000, 0x0123_4567_89AB_CDEF, .max]
    withEvery("prefix", in: prefixes) { prefix in
      withEvery("slot", in: [0, 1, 0x89AB_CDEF, .max] as [UInt32]) { slot in
        let entry = RankEntry(prefix: prefix, slot: slot)
        expectEqual(entry.prefix, prefix)
        expectEqual(entry.slot, slot)
      }
    }
  }

  @Test func `Either part can be replaced`() {
    var entry = RankEntry(prefix: 0x0123_4567_89AB_CDEF, slot: 7)
    entry.prefix = 0xFEDC_BA98_7654_3210
    #expect(entry == RankEntry(prefix: 0xFEDC_BA98_7654_3210, slot: 7))
    entry.slot = 8
    #expect(entry == RankEntry(prefix: 0xFEDC_BA98_7654_3210, slot: 8))
  }

  @Test func `Entries are equal if both parts are`() {
    let entry = RankEntry(prefix: 0x1_0000_0002, slot: 3)
    #expect(entry != RankEntry(prefix: 0x2_0000_0002, slot: 3))
    #expect(entry != RankEntry(prefix: 0x1_0000_0003, slot: 3))
    #expect(entry != RankEntry(prefix: 0x1_0000_0002, slot: 4))
  }

  @Test func `An entry takes 12 bytes`() {
    #expect(MemoryLayout<RankEntry>.stride == 12)
  }
}
