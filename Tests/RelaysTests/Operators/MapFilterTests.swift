import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `map, compactMap and filter` {
  @Test func `map may make optionals, and passes on nil as a value`() {
    let relay = Relay<String>()
    let log = Log<Int?>()
    let token = relay.map { Int($0) }.subscribe { log.note($0) }
    for text in ["1", "x", "2"] { relay.send(text) }
    #expect(log.entries == [1, nil, 2])
    token.cancel()
  }

  @Test func `compactMap takes off one level of optionals`() {
    let relay = StateRelay<Int??>(.some(nil))
    let log = Log<Int?>()
    let token = relay.compactMap { $0 }.subscribe { log.note($0) }
    relay.send(nil)
    relay.send(3)
    #expect(log.entries == [nil, 3])
    token.cancel()
  }

  @Test(arguments: OperatorForm.withClosure.prefix(6))
  func `A closure is called once per value and subscription, and never without one`(
    form: OperatorForm
  ) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let signal = form.apply(relay.signal, company)
    relay.send(1)
    #expect(company.calls.value == 0)
    let tokens = (0..<3).map { _ in signal.subscribe { _ in } }
    relay.send(2)
    #expect(company.calls.value == 3)
    relay.send(3)
    #expect(company.calls.value == 6)
    for token in tokens { token.cancel() }
    relay.send(4)
    #expect(company.calls.value == 6)
  }

  @Test func `A closure runs where the value is delivered`() {
    let relay = Relay<Int>()
    let threads = Log<Int>()
    let token = relay.map { _ in CurrentThread.token }.filter { $0 == CurrentThread.token }
      .subscribe { threads.note($0) }
    let sender = Counter()
    onThreads(1) { _ in
      sender.set(CurrentThread.token)
      relay.send(1)
    }
    #expect(threads.entries == [sender.value])
    #expect(sender.value != CurrentThread.token)
    token.cancel()
  }

  @Test func `R2 A closure may send to its own upstream`() {
    let relay = Relay<Int>()
    let log = Log<String>()
    let token = relay.map { value in
      log.note("map \(value)")
      if value < 3 { relay.send(value + 1) }
      return value
    }
    .filter { value in
      log.note("filter \(value)")
      return true
    }
    .subscribe { log.note("\($0)") }
    relay.send(1)
    let expected = (1...3).flatMap { ["map \($0)", "filter \($0)", "\($0)"] }
    #expect(log.entries == expected)
    token.cancel()
  }

  @Test @MainActor func `A chain can be subscribed to on the main actor`() {
    let relay = StateRelay(1)
    let log = Log<Int>()
    let token = relay.map { $0 * 10 }.filter { $0 > 10 }
      .subscribe(on: .mainActor) { value in
        MainActor.assertIsolated()
        log.note(value)
      }
    relay.send(2)
    #expect(log.entries == [20])
    token.cancel()
  }

  @Test func `A chain of a thousand operators works`() {
    let relay = Relay<Int>()
    var signal = relay.signal
    for _ in 0..<1_000 { signal = signal.map { $0 + 1 } }
    let log = Log<Int>()
    let token = signal.subscribe { log.note($0) }
    relay.send(0)
    #expect(log.entries == [1_000])
    token.cancel()
  }
}
