import Locking
import Relays
import TestSupport
import Testing

@_spi(Storage) @testable import EntityStore

/// A listener that writes down what it is called for.
private final class NotingListener: CommitListener {
  private let name: String
  private let log: Log<String>

  init(_ name: String, _ log: Log<String>) {
    self.name = name
    self.log = log
  }

  func show(_ turn: Int) { log.note("\(name) shows \(turn)") }

  func deliver() { log.note("\(name) tells") }
}

@Suite struct DeliveryContextTests {
  private let log = Log<String>()
  private let store: Store
  private let latest: NotingListener
  private let each: NotingListener
  private let latestTurn: DeliveryTicket
  private let eachTurn: DeliveryTicket

  init() throws {
    store = try Store(.inMemory, entities: [Owner.self])
    latest = NotingListener("latest", log)
    each = NotingListener("each", log)
    latestTurn = DeliveryTicket(
      ListenerEntry(latest, .immediate, mergesWhatWaits: true, in: store))
    eachTurn = DeliveryTicket(ListenerEntry(each, .immediate, mergesWhatWaits: false, in: store))
  }

  @Test
  func `F13: turns are merged until one is delivered alone, and all show before any delivers`() {
    let place = DeliveryContext(.immediate())
    var ended: [Int] = []
    // Created later, so it has its turn later, though it comes first here.
    for turns in [[eachTurn], [latestTurn], [latestTurn], [eachTurn], [latestTurn]] {
      place.append(turns)
      ended.append(place.turns.ended)
    }
    #expect(ended == [1, 1, 1, 4, 4])
    #expect(place.turns.next == 6)
    place.queue.run()
    #expect(
      log.entries == [
        "each shows 1", "each tells",
        "latest shows 4", "each shows 4", "latest tells", "each tells",
        "latest shows 5", "latest tells",
      ])
    // Nothing is joined with what has been delivered.
    #expect(place.turns.ended == 5)
  }

  @Test func `F12: at the limit turns are merged that would be delivered one by one`() {
    let place = DeliveryContext(.immediate(), limit: 2)
    for _ in 0..<5 { place.append([eachTurn]) }
    #expect(place.turns.ended == 2)
    place.queue.run()
    let shown = [1, 2, 5].flatMap { ["each shows \($0)", "each tells"] }
    #expect(log.entries == shown)
    place.append([eachTurn])
    #expect(place.turns.ended == 6)
  }

  /// A turn of a subscriber that must be told of each commit.
  private func ownTurn(
    _ sequence: Int, _ deliver: @escaping @Sendable () -> Void
  ) -> DeliveryTicket { DeliveryTicket(deliver, sequence: sequence) }

  @Test func `F13: at the limit subscribers are notified commit by commit, in order`() {
    let commits = Relay<Commit>()
    let token = commits.subscribe { [log] in log.note("commit \($0.version)") }
    let place = DeliveryContext(.immediate(), commits: commits, limit: 2)
    let numbers = 1...6
    for number in numbers {
      // By themselves, with a listener, and with nobody but who is told of all commits.
      var parts: [DeliveryTicket] = []
      if number % 3 != 0 { parts.append(ownTurn(-1) { [log] in log.note("a \(number)") }) }
      if number % 3 == 1 { parts.append(eachTurn) }
      if number % 3 != 0 { parts.append(ownTurn(99) { [log] in log.note("b \(number)") }) }
      let version = Int64(number)
      let commit = Commit(versions: version...version, changes: NetChanges(), attempt: number)
      place.append(parts, commit)
      #expect(place.turns.ended == number)
    }
    place.queue.run()
    let expected = numbers.flatMap { number -> [String] in
      switch number % 3 {
      case 0: ["commit \(number)"]
      case 1:
        ["each shows \(number)", "commit \(number)", "a \(number)", "each tells", "b \(number)"]
      default: ["commit \(number)", "a \(number)", "b \(number)"]
      }
    }
    #expect(log.entries == expected)
    withExtendedLifetime(token) {}
  }

  @Test func `F12: at the limit a subscriber's turn ends what listeners have joined`() {
    let place = DeliveryContext(.immediate(), limit: 2)
    for number in 1...7 {
      place.append(number == 6 ? [ownTurn(99) { [log] in log.note("own") }] : [eachTurn])
    }
    #expect(place.turns.ended == 6)
    place.queue.run()
    #expect(
      log.entries == [
        "each shows 1", "each tells", "each shows 2", "each tells",
        "each shows 6", "each tells", "own", "each shows 7", "each tells",
      ])
  }

  @Test func `S3: subscribers of a place that is 10,000 commits behind see one order`() throws {
    let count = 10_010
    try store.commit { try $0.insert(Owner(id: 1)) }
    let tokens = ["a", "b"].map { name in
      store.changes(of: Owner.self).subscribe { [log, store] changes in
        if name == "a" && changes.version == 2 {
          for number in 3...count {
            _ = try? store.commit { try $0.update(Owner.self, 1) { $0.name = "\(number)" } }
          }
        }
        log.note("\(name) \(changes.version)")
      }
    }
    try store.commit { try $0.update(Owner.self, 1) { $0.name = "2" } }
    let expected = (2...count).flatMap { ["a \($0)", "b \($0)"] }
    let notes = log.entries
    #expect(notes.count == expected.count)
    #expect(zip(notes, expected).first { $0 != $1 }.map { "\($0)" } == nil)
    withExtendedLifetime(tokens) {}
  }
}
