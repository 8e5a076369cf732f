import Locking
import Relays
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct `A recorder` {
  @Test func `It keeps the values in order, and forgets those that are taken`() {
    let relay = Relay<Int>()
    let recorder = Recorder(relay)
    relay.send(1)
    relay.send(2)
    #expect(recorder.values == [1, 2])
    #expect(recorder.takeValues() == [1, 2])
    relay.send(3)
    #expect(recorder.values == [3])
    #expect(!recorder.hasEnded)
    recorder.cancel()
    relay.send(4)
    #expect(recorder.values == [3])
  }

  @Test func `It ends with its publisher, and wakes who waits`() async {
    let state = Locked<StateRelay<Int>?>(StateRelay(1))
    guard let recorder = state.withLock({ $0 }).map({ Recorder($0) }) else { return }
    async let waited = recorder.waitForValues(5)
    state.withLock { $0 = nil }
    #expect(await waited == [1])
    #expect(recorder.hasEnded)
  }

  @Test func `waitForValues returns once there are so many`() async {
    let relay = Relay<Int>()
    let recorder = Recorder(relay)
    let tasks = [1, 2, 3].map { count in Task { await recorder.waitForValues(count).count >= count }
    }
    for value in 1...3 {
      relay.send(value)
      await Task.yield()
    }
    for task in tasks { #expect(await task.value) }
    #expect(await recorder.waitForValues(2) == [1, 2, 3])
  }

  @Test func `A cancelled task stops waiting, before and while it waits`() async {
    let relay = Relay<Int>()
    let recorder = Recorder(relay)
    for startsFirst in [true, false] {
      let task = Task { await recorder.waitForValues(1) }
      if startsFirst { for _ in 0..<100 { await Task.yield() } }
      task.cancel()
      #expect(await task.value == [])
    }
    relay.send(1)
    #expect(recorder.values == [1])
  }

  @Test func `Cancelling it wakes who waits`() async {
    let relay = Relay<Int>()
    let recorder = Recorder(relay)
    async let waited = recorder.waitForValues(2)
    relay.send(1)
    recorder.cancel()
    relay.send(2)
    #expect(await waited == [1])
    #expect(!recorder.hasEnded)
  }

  @Test func `R6 Releasing it ends the subscription`() {
    let relay = Relay<Int>()
    do {
      let recorder = Recorder(relay)
      relay.send(1)
      #expect(relay.subscriptionCount == 1)
      withExtendedLifetime(recorder) {}
    }
    #expect(relay.subscriptionCount == 0)
  }
}
