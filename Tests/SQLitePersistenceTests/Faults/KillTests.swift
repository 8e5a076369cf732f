@_spi(Storage) import EntityStore
import Foundation
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite(.oneThread) struct `A killed process loses no commit that returned` {
  private static let rounds = seeds(120)

  @Test func `P2: the file opens with exactly the returned commits, and perhaps the one in flight`()
    async throws
  {
    var inFlight = 0
    for seed in Self.rounds { if try await round(seed) { inFlight += 1 } }
    // Each second one dies between BEGIN and the return, though some have been made durable by then.
    tried(Self.rounds.count, "kills of a process that commits")
    print("P2: \(Self.rounds.count) kills; after \(inFlight) the commit in flight is there")
  }

  /// Says whether the commit in flight is in the file.
  private func round(_ seed: Int) async throws -> Bool {
    var generator = SeededGenerator(seed: seed)
    let library = Library(seed: seed, most: 999)
    let path = try temporaryFolder("killed") + "/store.sqlite"
    // Killed by us, after some commit has returned and at whatever the process does then; or by
    // itself, at some write, sync, truncation or deletion of a commit that has begun.
    let isInside = seed % 2 == 0
    let last = Int.random(in: 1...20, using: &generator)
    let delay = Duration.microseconds(
      Int.random(in: 0...(generator.chance(0.5) ? 300 : 20_000), using: &generator))
    let acknowledgements = Acknowledgements { process, version in
      if isInside || version != last { return }
      let end = ContinuousClock.now + delay
      while ContinuousClock.now < end {}
      kill(process, SIGKILL)
    }
    await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
      [
        path = path as String, pipe = acknowledgements.path as String, seed = seed as Int,
        last = last as Int, isInside = isInside as Bool
      ] in
      let library = Library(seed: seed, most: 999)
      var generator = SeededGenerator(seed: seed + 1)
      let disk = FaultyDisk()
      let durability: Durability = seed / 2 % 2 == 0 ? .full : .normal
      let movedPages = seed / 4 % 2 == 0 ? 20 : nil
      let store = try Store(
        .custom {
          isInside
            ? try disk.storage(path, durability, logPages: 50, movedPages: movedPages)
            : try SQLiteStorage(path: path, durability: durability)
        }, entities: Library.entities)
      let parent = Acknowledging(pipe)
      var version = 1
      while true {
        try library.commit(version, to: store) {
          guard isInside, version >= last else { return }
          // A commit may have fewer: then it returns, and the next one tries.
          disk.killProcess(at: Int.random(in: 1...(version % 2 == 0 ? 8 : 60), using: &generator))
        }
        disk.killProcess(at: 0)
        parent.say(version)
        version += 1
      }
    }
    let versions = acknowledgements.versions()
    #expect(versions == Array(1..<versions.count + 1), "seed \(seed)")
    #expect(versions.count >= last - 1, "seed \(seed)")
    let found = try library.check(path, "seed \(seed)")
    #expect(found == versions.count || found == versions.count + 1, "seed \(seed)")
    // It goes on from there.
    do {
      let store = try Store(.sqlite(path: path), entities: Library.entities)
      try library.commit(found + 1, to: store)
    }
    #expect(try library.check(path, "seed \(seed), after") == found + 1)
    try FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    return found > versions.count
  }
}
