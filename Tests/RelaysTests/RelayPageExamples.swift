import Relays
import SignalboxTesting
import TestSupport

/// The examples of the page of `Relay`, each between two markers as it stands there.
struct RelayPageExamples {
  private let log = Log<String>()

  /// What has been printed.
  var lines: [String] { log.entries }

  private func print(_ item: some Any) { log.note("\(item)") }

  func order() {
    // PAGE begin
    let prices = Relay<Int>()
    let first = prices.subscribe { print("first: \($0)") }
    let second = prices.subscribe { print("second: \($0)") }
    prices.send(3)  // prints "first: 3", "second: 3"
    // PAGE end
    _ = (first, second)
  }

  func reentrancy() {
    // PAGE begin
    let steps = Relay<Int>()
    let starter = steps.subscribe { step in
      print("starter: \(step)")
      if step < 2 { steps.send(step + 1) }
    }
    let follower = steps.subscribe { print("follower: \($0)") }
    steps.send(1)  // prints "starter: 1", "follower: 1", "starter: 2", "follower: 2"
    // PAGE end
    _ = (starter, follower)
  }

  func cancelling() {
    // PAGE begin
    let news = Relay<String>()
    let readers = SubscriptionBag()
    let editor = news.subscribe { _ in readers.cancel() }
    news.subscribe { print($0) }.store(in: readers)
    news.send("too late")  // prints nothing
    // PAGE end
    _ = editor
  }

  func state() {
    // PAGE begin
    let count = StateRelay(1)
    let doubler = count.subscribe { if $0 < 4 { count.modify { $0 *= 2 } } }
    let shown = count.subscribe { print($0) }  // prints "4"
    count.send(3)  // prints "3", "6"
    // PAGE end
    _ = (doubler, shown)
  }

  func end() async {
    // PAGE begin
    let numbers = Relay<Int>()
    let firstTwo = numbers.map { $0 * 10 }.prefix(2).values()
    for number in 1...3 { numbers.send(number) }
    for await number in firstTwo { print(number) }  // prints "10", "20"
    // PAGE end
  }

  func operators() async {
    // PAGE begin
    let clock = ManualClock()
    let typed = Relay<String>()
    let searches = typed.debounce(for: .seconds(1), clock: clock).values()
    typed.send("sig")
    typed.send("signal")
    clock.advance(by: .seconds(1))
    for await search in searches.prefix(1) { print(search) }  // prints "signal"
    // PAGE end
  }

  func places() async {
    // PAGE begin
    let ticks = Relay<Int>()
    let onMain = ticks.subscribe(on: .mainActor) { print("main: \($0)") }
    await MainActor.run { ticks.send(1) }  // prints "main: 1"
    // PAGE end
    _ = onMain
  }
}
