import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite(.oneThread) struct ObservedOracleTests {
  private struct Undo: Error {}

  private static let texts = ["Ann", "Bob", "", "\u{E9}", "e\u{301}"]

  private static func change(
    _ draft: inout Draft, _ generator: inout SeededGenerator
  ) throws {
    let text = texts.randomElement(using: &generator) ?? ""
    let driver = Int.random(in: 1...5, using: &generator)
    let firm = Int.random(in: 1...3, using: &generator)
    let town = Int.random(in: 1...2, using: &generator)
    let isNil = generator.chance(0.25)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: try draft.upsert(Town(id: town, name: text, size: firm))
    case 1: if try draft.find(Town.self, town) != nil { try draft.delete(Town.self, town) }
    case 2: try draft.upsert(Firm(id: firm, name: text, rank: town, town: Ref(town)))
    case 3: if try draft.find(Firm.self, firm) != nil { try draft.delete(Firm.self, firm) }
    case 4:
      if try draft.find(Firm.self, firm) != nil {
        try draft.update(Firm.self, firm) { $0.town = isNil ? nil : Ref(town) }
      }
    case 5, 6:
      try draft.upsert(
        Driver(
          id: driver, name: text, age: isNil ? nil : firm, firm: isNil ? nil : Ref(firm),
          chief: Ref(firm)))
    case 7: if try draft.find(Driver.self, driver) != nil { try draft.delete(Driver.self, driver) }
    default:
      guard try draft.find(Driver.self, driver) != nil else { return }
      try draft.update(Driver.self, driver) {
        switch firm {
        case 1: $0.name = text
        case 2: $0.firm = isNil ? nil : Ref(town)
        default: $0.chief = isNil ? nil : Ref(town)
        }
      }
    }
  }

  private static func commit(_ store: Store, _ generator: inout SeededGenerator) throws {
    let isUndone = generator.chance(0.1)
    let isPartlyUndone = generator.chance(0.2)
    do {
      try store.commit { draft in
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          try change(&draft, &generator)
        }
        if isPartlyUndone {
          try? store.commit { inner in
            try change(&inner, &generator)
            throw Undo()
          }
        }
        if isUndone { throw Undo() }
      }
    } catch is Undo {}
  }

  @Test(arguments: TestStorage.allCases, [DeliveryPolicy.every, .coalesced]) @MainActor
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
              try Self.commit(store, &generator)
              for follower in present { try follower.note(store) }
            } catch { Issue.record(error) }
          }
        }.join()
        count(["a batch away"])
        await store.flush()
        for follower in followers { count(follower.check()) }
      } else {
        for _ in 0..<number {
          try Self.commit(store, &generator)
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
