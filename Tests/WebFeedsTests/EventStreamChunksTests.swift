import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import Relays
import TestSupport
import Testing

@testable import WebFeeds

/// The pieces of a body, which several tasks ask for, one after another.
private final class Pieces: @unchecked Sendable {
  // @unchecked: a test asks for a piece when it has the one before.
  private var iterator: EventStreamChunks.Iterator

  init(_ chunks: EventStreamChunks) { iterator = chunks.makeAsyncIterator() }

  func next() async throws -> [UInt8]? { try await iterator.next() }
}

@Suite(.timeLimit(.minutes(20))) struct EventStreamChunksTests {
  private func cars() throws -> FetchedObjectsModel<Car> {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { try $0.insert(Car(id: 1, model: "Volvo", year: 1, owner: nil)) }
    return try FetchedObjectsModel(Query<Car>(), in: store)
  }

  @Test func `W2: a body whose wait was cancelled is over, and sends no signs of life`()
    async throws
  {
    let feed = EventStreamFeed([EventStreamList("cars", of: try cars())])
    let pieces = Pieces(feed.stream(after: nil).chunks(keepAlive: .seconds(100_000)))
    #expect(try await pieces.next()?.isEmpty == false)
    let isOver = Counter()
    let waiting = Task {
      let piece = try await pieces.next()
      isOver.set(1)
      return piece
    }
    #expect(await !becomesTrue(within: .milliseconds(50)) { isOver.value == 1 })
    waiting.cancel()
    #expect(try await waiting.value == nil)
    #expect(try await pieces.next() == nil)
  }

  @Test func `W3: news leaves no alarms behind`() async {
    let news = Relay<Void>()
    let waiter = NewsWaiter(news.signal)
    for _ in 1...100 {
      news.send()
      #expect(await waiter.wait(atMost: .seconds(100_000)))
    }
    #expect(waiter.alarmCount == 1)
    // An earlier end needs another one.
    #expect(await !waiter.wait(atMost: .milliseconds(20)))
    #expect(waiter.alarmCount == 2)
  }

  @Test func `W2: an alarm of a wait before doesn't end a longer one`() async {
    let news = Relay<Void>()
    let clock = ContinuousClock()
    // A busy machine may not leave the first wait the time to end before its alarm rings.
    for limit in [Duration.milliseconds(20), .milliseconds(200), .seconds(2), .seconds(20)] {
      let waiter = NewsWaiter(news.signal)
      news.send()
      let start = clock.now
      let hasNews = await waiter.wait(atMost: limit)
      if clock.now - start >= limit { continue }
      #expect(hasNews)
      let secondStart = clock.now
      #expect(await !waiter.wait(atMost: limit * 2))
      #expect(clock.now - secondStart >= limit * 2)
      // Otherwise the alarm rang between the two waits, and the second one has its own.
      if waiter.alarmCount == 1 { return }
    }
  }

  @Test func `W3: a part of a shape behind all rows is empty, wherever it begins`() throws {
    let shape = ShapeFeed(of: try cars())
    let snapshot = ShapeSnapshot(shape.feed.page(after: nil), partLimit: 2)
    #expect(!snapshot.part(from: 0).rows.isEmpty)
    for start in [1, 2, Int.max - 1, .max] {
      let part = snapshot.part(from: start)
      #expect(part.rows.isEmpty && part.next == 0)
    }
  }
}
