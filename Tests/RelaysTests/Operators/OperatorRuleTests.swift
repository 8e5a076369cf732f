import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Every operator keeps the rules of relays` {
  /// What a form passes on of the values 1, 2, 3.
  private func passed(_ form: OperatorForm) -> [Int] {
    form.name.hasPrefix("first") ? [1] : [1, 2, 3]
  }

  @Test(arguments: OperatorForm.all)
  func `Nothing happens before something subscribes`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let signal = form.apply(relay.signal, company)
    relay.send(1)
    #expect(!relay.hasSubscribers && !company.silent.hasSubscribers)
    #expect(company.calls.value == 0)
    withExtendedLifetime(signal) {}
  }

  @Test(arguments: OperatorForm.all)
  func `R1 Values go to all subscribers, in order of subscription`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let signal = form.apply(relay.signal, company)
    let log = Log<String>()
    let tokens = ["A", "B", "C"].map { name in signal.subscribe { log.note("\(name)\($0)") } }
    for value in 1...3 { relay.send(value) }
    #expect(log.entries == passed(form).flatMap { ["A\($0)", "B\($0)", "C\($0)"] })
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: OperatorForm.all)
  func `R1 Values of several threads come once each, and one at a time`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let depth = Counter()
    let log = Log<Int>()
    let token = form.apply(relay.signal, company).subscribe { value in
      if depth.add() != 1 { Issue.record("Two callbacks of one subscription overlap") }
      log.note(value)
      depth.add(-1)
    }
    onThreads(3) { index in
      for value in 0..<500 { relay.send(index * 1_000 + value) }
    }
    let few = ["first": 1, "first(where:)": 1, "prefix": 3][form.name]
    #expect(log.entries.count == few ?? 1_500)
    for index in 0..<3 {
      let own = log.entries.filter { $0 / 1_000 == index }
      #expect(own == (0..<own.count).map { index * 1_000 + $0 })
    }
    token.cancel()
  }

  @Test(arguments: OperatorForm.all)
  func `R2 A value sent in a callback waits until that has returned`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let log = Log<String>()
    let token = form.apply(relay.signal, company).subscribe { value in
      log.note("begin \(value)")
      if value < 3 { relay.send(value + 1) }
      log.note("end \(value)")
    }
    relay.send(1)
    #expect(log.entries == passed(form).flatMap { ["begin \($0)", "end \($0)"] })
    token.cancel()
  }

  @Test(arguments: OperatorForm.all)
  func `R4 After cancel no callback begins`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let log = Log<Int>()
    let token = form.apply(relay.signal, company).subscribe { log.note($0) }
    #expect(relay.hasSubscribers)
    relay.send(1)
    token.cancel()
    #expect(!relay.hasSubscribers && !company.silent.hasSubscribers)
    let calls = company.calls.value
    relay.send(2)
    company.state.send(1)
    company.silent.send(3)
    #expect(log.entries == [1])
    #expect(company.calls.value == calls)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: OperatorForm.all)
  func `R4 A dropped token cancels`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let log = Log<Int>()
    _ = form.apply(relay.signal, company).subscribe { log.note($0) }
    #expect(!relay.hasSubscribers && !company.silent.hasSubscribers)
    relay.send(1)
    #expect(log.isEmpty)
  }

  @Test(arguments: OperatorForm.all)
  func `R4 After a cancel in its callback none begins`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let log = Log<Int>()
    let token = Box<SubscriptionToken?>(nil)
    token.value = form.apply(relay.signal, company).subscribe { value in
      log.note(value)
      relay.send(2)
      token.value?.cancel()
      relay.send(3)
    }
    relay.send(1)
    #expect(log.entries == [1])
    #expect(!relay.hasSubscribers && !company.silent.hasSubscribers)
  }

  @Test(arguments: OperatorForm.all)
  func `R4 A cancel by an earlier subscriber counts for the value being delivered`(
    form: OperatorForm
  ) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let log = Log<Int>()
    let later = Box<SubscriptionToken?>(nil)
    let first = relay.subscribe { _ in later.value?.cancel() }
    later.value = form.apply(relay.signal, company).subscribe { log.note($0) }
    relay.send(1)
    #expect(log.isEmpty)
    #expect(company.calls.value <= 2)
    first.cancel()
  }

  @Test(arguments: OperatorForm.withClosure)
  func `R4 A cancel in an operator's closure counts for the value it is called with`(
    form: OperatorForm
  ) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let token = Box<SubscriptionToken?>(nil)
    let log = Log<Int>()
    let above = relay.map { value in
      token.value?.cancel()
      return value
    }
    token.value = form.apply(above, company).subscribe { log.note($0) }
    relay.send(1)
    relay.send(2)
    #expect(log.isEmpty)
  }

  @Test(arguments: OperatorForm.all)
  func `R4 At most one callback begins after a cancel on another thread`(form: OperatorForm) {
    let deadline = Deadline()
    for _ in 0..<100 where !deadline.isOver {
      let relay = Relay<Int>()
      let company = OperatorForm.Company()
      let isCancelled = Counter()
      let late = Counter()
      let started = Latch()
      let token = Box<SubscriptionToken?>(nil)
      token.value = form.apply(relay.signal, company).subscribe { _ in
        late.add(isCancelled.value)
        started.open()
      }
      onThreads(2) { index in
        if index == 0 {
          for value in 1...200 { relay.send(value) }
        } else {
          #expect(started.opensSoon())
          token.value?.cancel()
          isCancelled.set(1)
        }
      }
      #expect(late.value <= 1)
      #expect(!relay.hasSubscribers && !company.silent.hasSubscribers)
    }
  }

  @Test(arguments: OperatorForm.all)
  func `R5 The first value of a StateRelay comes before subscribe returns`(form: OperatorForm) {
    let relay = StateRelay(1)
    let company = OperatorForm.Company()
    let log = Log<Int>()
    let token = form.apply(relay.signal, company).subscribe { log.note($0) }
    #expect(log.entries == [1])
    relay.send(2)
    relay.send(3)
    #expect(log.entries == passed(form))
    token.cancel()
  }

  @Test(arguments: OperatorForm.all)
  func `R5 While a delivery runs the first value comes in its turn`(form: OperatorForm) {
    let relay = StateRelay(0)
    let company = OperatorForm.Company()
    let signal = form.apply(relay.signal, company)
    let late = Box<SubscriptionToken?>(nil)
    let log = Log<Int>()
    let token = relay.subscribe { value in
      guard value == 1 else { return }
      late.value = signal.subscribe { log.note($0) }
      relay.send(2)
      relay.send(3)
      #expect(log.isEmpty)
    }
    relay.send(1)
    #expect(log.entries == passed(form))
    token.cancel()
  }
}
