import Locking
import Relays
import Testing

@testable import EntityStore

/// A listener that writes down what it is called for.
private final class NotingListener: CommitListener {
  private let name: String
  private let log: Noted

  init(_ name: String, _ log: Noted) {
    self.name = name
    self.log = log
  }

  func show(_ turn: Int) { log.note("\(name) shows \(turn)") }

  func tell() { log.note("\(name) tells") }
}

@Suite struct StorePlaceTests {
  private let log = Noted()
  private let store: Store
  private let latest: NotingListener
  private let each: NotingListener
  private let latestTurn: PlacedTurn
  private let eachTurn: PlacedTurn

  init() throws {
    store = try Store(.inMemory, entities: [Owner.self])
    latest = NotingListener("latest", log)
    each = NotingListener("each", log)
    latestTurn = PlacedTurn(
      ListenerEntry(latest, .immediate, mergesWhatWaits: true, in: store))
    eachTurn = PlacedTurn(ListenerEntry(each, .immediate, mergesWhatWaits: false, in: store))
  }

  @Test func `F13: turns are joined until one is told by itself, and all show before any tells`() {
    let place = StorePlace(.immediate())
    var ended: [Int] = []
    // Created later, so it has its turn later, though it comes first here.
    for turns in [[eachTurn], [latestTurn], [latestTurn], [eachTurn], [latestTurn]] {
      _ = place.append(turns)
      ended.append(place.turns.ended)
    }
    #expect(ended == [1, 1, 1, 4, 4])
    #expect(place.turns.next == 6)
    place.queue.run()
    #expect(
      log.notes == [
        "each shows 1", "each tells",
        "latest shows 4", "each shows 4", "latest tells", "each tells",
        "latest shows 5", "latest tells",
      ])
    // Nothing is joined with what has been delivered.
    #expect(place.turns.ended == 5)
  }

  @Test func `F12: at the limit turns are joined that want to be told by themselves`() {
    let place = StorePlace(.immediate(), limit: 2)
    for _ in 0..<5 { _ = place.append([eachTurn]) }
    #expect(place.turns.ended == 2)
    place.queue.run()
    let shown = [1, 2, 5].flatMap { ["each shows \($0)", "each tells"] }
    #expect(log.notes == shown)
    _ = place.append([eachTurn])
    #expect(place.turns.ended == 6)
  }
}
