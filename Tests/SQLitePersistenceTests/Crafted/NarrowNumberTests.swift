@_spi(Storage) @testable import SQLMapping
import TestSupport
import Testing

@testable import SQLitePersistence

// As where `Int` has 32 bits, which it has on no machine that runs these.
@Suite struct `Numbers in a file that are too large for Int` {
  @Test func `P6: a length in the log is refused, not converted`() {
    for length in [0, 1, 99, 100, 101, UInt32(Int32.max), UInt32(Int32.max) + 1, .max] {
      let narrow = ChangeLogReader.length(length, within: Int32(100))
      let wide = ChangeLogReader.length(length, within: Int64(100))
      #expect(narrow == (length <= 100 ? Int32(length) : nil))
      #expect(wide == (length <= 100 ? Int64(length) : nil))
    }
    #expect(ChangeLogReader.length(.max, within: Int32.max) == nil)
    #expect(ChangeLogReader.length(.max, within: Int64.max) == Int64(UInt32.max))
  }

  @Test func `P6: a version is one that a word holds, with as many more to come`() {
    let (narrow, wide) = (ChangeLog.versions(in: Int32.self), ChangeLog.versions(in: Int64.self))
    #expect(narrow == 0..<1 << 30 && wide == 0..<1 << 62)
    #expect(Int32(exactly: narrow.upperBound * 2 - 1) == .max)
  }
}
