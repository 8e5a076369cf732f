import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

@Suite(.plainFile) struct `P3, P6: a crafted file gives an error or its objects` {
  /// So many cases in one process, which a trap ends.
  private static let starts = Array(stride(from: 0, to: CraftedCase.all.count, by: 8))

  @Test(.oneThread, arguments: starts)
  func
    `P6: every call on a crafted file gives an error or right data, and reaches no other file`(
      _ first: Int
    ) async throws
  {
    tried(
      CraftedCase.all[first..<min(first + 8, CraftedCase.all.count)].count * CraftedCase.ways,
      "visits of files that somebody has made by hand")
    let place = temporaryPath("case")
    let result = await #expect(processExitsWith: .success) {
      [first = first as Int, place = place as String] in
      for one in CraftedCase.all[first..<min(first + 8, CraftedCase.all.count)] {
        try Data(one.name.utf8).write(to: URL(fileURLWithPath: place))
        // A hang ends the process.
        alarm(1200)
        for problem in one.problems() { Issue.record("\(problem)") }
      }
    }
    if result != nil { return }
    let name = try? String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
    Issue.record("the process ended with the case \"\(name ?? "")\"")
  }

  @Test func `There are more than sixty kinds, each with a name of its own`() {
    #expect(CraftedCase.all.count > 60)
    #expect(Set(CraftedCase.all.map(\.name)).count == CraftedCase.all.count)
  }

  @Test(.oneThread)
  func `P6: flipped bytes end with an error or some objects, and reach no other file`()
    async throws
  {
    let count = rounds(300)
    tried(count * CraftedCase.ways, "visits of files with flipped bytes")
    await #expect(processExitsWith: .success) { [count = count as Int] in
      let path = temporaryPath()
      try makeLetters(path)
      let made = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let first = Int(ProcessInfo.processInfo.environment["SIGNALBOX_SEED"] ?? "") ?? 0
      for seed in first..<first + count {
        alarm(1200)
        var generator = SeededGenerator(seed: UInt64(seed))
        let flips = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
          // Half of them where the file says what it is.
          (
            Int.random(
              in: 0..<(Bool.random(using: &generator) ? 4096 : made.count), using: &generator),
            UInt8.random(in: 1...255, using: &generator)
          )
        }
        let one = CraftedCase("flips of seed \(seed)", .either) { path in
          try editBytes(path) { bytes in
            for (place, mask) in flips where place < bytes.count { bytes[place] ^= mask }
          }
        }
        FileHandle.standardError.write(Data("\(one.name)\n".utf8))
        for problem in one.problems() { Issue.record("\(problem)") }
      }
    }
  }
}
