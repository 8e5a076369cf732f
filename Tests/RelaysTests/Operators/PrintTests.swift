import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `print of events` {
  @Test func `print says what happens and passes everything on`() {
    let relay = Relay<Int>()
    let lines = Log<String>()
    let log = Log<Int>()
    let signal = relay.print("prices", to: { lines.note($0) })
    relay.send(0)
    #expect(lines.isEmpty)
    let token = signal.subscribe { log.note($0) }
    relay.send(3)
    relay.send(4)
    token.cancel()
    relay.send(5)
    #expect(log.entries == [3, 4])
    #expect(
      lines.entries == [
        "prices: receive subscription", "prices: receive value: (3)", "prices: receive value: (4)",
        "prices: receive cancel",
      ])
    withExtendedLifetime(relay) {}
  }

  @Test func `Without a prefix the lines have no colon before them`() {
    let relay = StateRelay("a")
    let lines = Log<String>()
    let token = relay.print(to: { lines.note($0) }).subscribe { _ in }
    token.cancel()
    #expect(lines.entries == ["receive subscription", "receive value: (a)", "receive cancel"])
    withExtendedLifetime(relay) {}
  }

  @Test func `A line is printed before its event is passed on`() {
    let relay = StateRelay(1)
    let lines = Log<String>()
    let token = relay.print("a", to: { lines.note($0) }).print("b", to: { lines.note($0) })
      .subscribe { lines.note("\($0)") }
    token.cancel()
    #expect(
      lines.entries == [
        "b: receive subscription", "a: receive subscription", "a: receive value: (1)",
        "b: receive value: (1)", "1", "b: receive cancel", "a: receive cancel",
      ])
    withExtendedLifetime(relay) {}
  }

  @Test func `Cancelling again, or dropping the token, says nothing more`() {
    let relay = Relay<Int>()
    let lines = Log<String>()
    do {
      let token = relay.print(to: { lines.note($0) }).subscribe { _ in }
      token.cancel()
      token.cancel()
    }
    #expect(lines.entries == ["receive subscription", "receive cancel"])
    withExtendedLifetime(relay) {}
  }

  @Test func `A dropped token is a cancel`() {
    let relay = Relay<Int>()
    let lines = Log<String>()
    _ = relay.print(to: { lines.note($0) }).subscribe { _ in }
    #expect(lines.entries == ["receive subscription", "receive cancel"])
  }

  @Test func `After the end there is nothing to cancel`() {
    let source = Source()
    let lines = Log<String>()
    let token = source.signal.print(to: { lines.note($0) }).subscribe { _ in }
    source.send(1)
    source.go()
    token.cancel()
    #expect(
      lines.entries == ["receive subscription", "receive value: (1)", "receive finished"])
  }

  @Test func `An ended upstream is finished at once`() {
    let lines = Log<String>()
    let token = StateRelay(1).print(to: { lines.note($0) }).subscribe { _ in }
    token.cancel()
    #expect(
      lines.entries == ["receive subscription", "receive value: (1)", "receive finished"])
  }

  @Test func `R4 A subscription that is cancelled while another gets the end doesn't get it`() {
    let source = Source()
    let later = Box<SubscriptionToken?>(nil)
    let lines = Log<String>()
    let first = source.signal.print(to: { if $0 == "receive finished" { later.value?.cancel() } })
      .subscribe { _ in }
    later.value = source.signal.print(to: { lines.note($0) }).subscribe { _ in }
    source.go()
    #expect(lines.entries == ["receive subscription", "receive cancel"])
    first.cancel()
  }

  @Test func `Each subscription prints its own lines`() {
    let relay = Relay<Int>()
    let lines = Log<String>()
    let signal = relay.print(to: { lines.note($0) })
    let tokens = (0..<2).map { _ in signal.subscribe { _ in } }
    relay.send(1)
    #expect(lines.entries.count == 4)
    for token in tokens { token.cancel() }
    #expect(lines.entries.count == 6)
    withExtendedLifetime(relay) {}
  }

  @Test func `R3 A line may be taken by what uses the same relay`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let isDone = finishes {
      let token = relay.print(to: { line in
        relay.subscribe { _ in }.cancel()
        if line == "receive cancel" || line == "receive subscription" { relay.send(1) }
      })
      .subscribe { log.note($0) }
      relay.send(2)
      token.cancel()
    }
    #expect(isDone)
    #expect(log.entries == [2])
  }

  @Test func `R7 Where a cancel and the end meet, one of them is printed`() {
    let count = rounds(3_000)
    for _ in 0..<count {
      let relay = Box<Relay<Int>?>(Relay())
      let lines = Log<String>()
      let token = relay.value?.print(to: { lines.note($0) }).subscribe { _ in }
      onThreads(2) { thread in
        if thread == 0 { relay.value = nil } else { token?.cancel() }
      }
      let ends = lines.entries.dropFirst()
      guard ends.count == 1 else {
        Issue.record("\(lines.entries)")
        return
      }
    }
    tried(count, "meetings of a cancel and the end")
  }

  @Test
  func `R7 A subscription that is cancelled while the end is on its way prints the cancel alone`() {
    var relay: Relay<Int>? = Relay()
    let lines = Log<String>()
    let token = Box<SubscriptionToken?>(nil)
    token.value = relay?.print("a") { line in
      lines.note(line)
      if line == "a: receive finished" { token.value?.cancel() }
    }.print("b", to: { lines.note($0) }).subscribe { _ in }
    relay = nil
    #expect(lines.entries.suffix(2) == ["a: receive finished", "b: receive cancel"])
  }
}
