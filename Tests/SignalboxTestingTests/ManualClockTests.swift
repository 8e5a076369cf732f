import Locking
import SignalboxTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `A manual clock` {
  @Test func `Time stands still until it is moved`() {
    let clock = ManualClock()
    let start = clock.now
    #expect(clock.now == start)
    clock.advance(by: .seconds(3))
    #expect(start.duration(to: clock.now) == .seconds(3))
    #expect(clock.now == start.advanced(by: .seconds(3)))
    #expect(start < clock.now)
  }

  @Test func `Moving to a time that has passed changes nothing`() {
    let clock = ManualClock()
    clock.advance(to: .init(offset: .seconds(5)))
    clock.advance(to: .init(offset: .seconds(2)))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `A sleeper wakes when its time has come, and not before`() async throws {
    let clock = ManualClock()
    let woken = Locked(false)
    let sleeper = Task {
      try await clock.sleep(for: .seconds(2))
      woken.withLock { $0 = true }
    }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(clock.sleeperCount == 1)
    #expect(!woken.withLock { $0 })
    clock.advance(by: .seconds(1))
    #expect(clock.sleeperCount == 0)
    try await sleeper.value
    #expect(woken.withLock { $0 })
  }

  @Test func `Sleeping until a time that has passed returns at once`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: .init(offset: .seconds(1)))
    try await clock.sleep(until: .init())
    #expect(clock.sleeperCount == 0)
  }

  @Test func `Only those sleepers wake whose time has come`() async throws {
    let clock = ManualClock()
    let sleepers = (1...5).map { seconds in
      Task { try await clock.sleep(until: .init(offset: .seconds(seconds))) }
    }
    await clock.waitForSleepers(5)
    for awake in 1...5 {
      clock.advance(by: .seconds(1))
      #expect(clock.sleeperCount == 5 - awake)
    }
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test func `A cancelled sleeper throws, also if it is cancelled before it sleeps`() async {
    let clock = ManualClock()
    let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers()
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(clock.sleeperCount == 0)

    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `A wait for sleepers ends when enough sleep, or when it is cancelled`() async {
    let clock = ManualClock()
    let watcher = Task { await clock.waitForSleepers(2) }
    let sleepers = (0..<2).map { _ in Task { try await clock.sleep(for: .seconds(1)) } }
    await watcher.value
    let patient = Task { await clock.waitForSleepers(3) }
    patient.cancel()
    await patient.value
    clock.advance(by: .seconds(1))
    for sleeper in sleepers { try? await sleeper.value }
  }

  @Test func `No sleeper is lost when many sleep and the clock moves`() async throws {
    let clock = ManualClock()
    let sleepers = (0..<200).map { index in
      Task { try await clock.sleep(until: .init(offset: .milliseconds(index % 50))) }
    }
    for _ in 0..<50 {
      clock.advance(by: .milliseconds(1))
      await Task.yield()
    }
    for sleeper in sleepers { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `A clock can't be moved back`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { ManualClock().advance(by: .seconds(-1)) }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("can't be moved back"))
  }
}
