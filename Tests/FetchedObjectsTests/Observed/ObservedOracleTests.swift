import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite(.oneThread) struct ObservedOracleTests {
  @Test(arguments: TestStorage.withServer, [DeliveryPolicy.every, .coalesced]) @MainActor
  func `F8: after random commits it shows and publishes what a fresh read gives`(
    _ storage: TestStorage, onMain: DeliveryPolicy
  ) async throws {
    var generator = SeededGenerator(seed: storage == .memory ? 1 : 2)
    let store = try storage.makeDriverFleet()
    func makeFollower() throws -> FollowedDriver {
      let isOnMain = generator.chance(0.5)
      return try FollowedDriver(
        Int.random(in: 1...5, using: &generator),
        DriverPaths.allCases.randomElement(using: &generator) ?? .none,
        isOnMain ? onMain : generator.chance(0.5) ? .every : .coalesced, isOnMain: isOnMain,
        in: store)
    }
    var followers = try (0..<24).map { _ in try makeFollower() }
    var occurred: [String: Int] = [:]
    func count(_ kinds: [String]) { for kind in kinds { occurred[kind, default: 0] += 1 } }
    for _ in 0..<(storage == .memory ? 350 : 30) {
      let number = Int.random(in: 1...4, using: &generator)
      if generator.chance(0.5) {
        // Away from the main actor, which is busy meanwhile.
        let present = followers
        let seed = generator.next()
        TestThread {
          var generator = SeededGenerator(seed: seed)
          for _ in 0..<number {
            do {
              try DriverChanges.commit(store, &generator)
              for follower in present { try follower.note(store) }
            } catch { Issue.record(error) }
          }
        }.join()
        count(["a batch away"])
        await store.flush()
        for follower in followers { count(follower.check()) }
      } else {
        for _ in 0..<number {
          try DriverChanges.commit(store, &generator)
          for follower in followers { try follower.note(store) }
          for follower in followers { count(follower.check()) }
        }
      }
      let index = Int.random(in: followers.indices, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        followers[index] = try makeFollower()
        count(["replaced"])
      case 1 where followers[index].isPaused:
        count(["resumed"])
        count(followers[index].resume())
      case 1:
        followers[index].pause()
        count(["paused"])
      default: break
      }
    }
    print("observed oracle, \(storage):", occurred.sorted { $0.key < $1.key })
    for kind in [
      "absent → live", "live → live", "live → deleted", "deleted → live",
      "deleted → deleted", "paused", "resumed", "replaced", "a batch away",
    ] where storage == .memory {
      #expect(occurred[kind, default: 0] > 0, "\(kind) never occurred")
    }
  }
}
