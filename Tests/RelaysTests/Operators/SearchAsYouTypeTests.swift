import Relays
import SignalboxTesting
import TestSupport
import Testing

/// The search model of the guide for those who come from Combine.
private final class SearchModel: Sendable {
  private let textRelay = StateRelay("")
  private let bag = SubscriptionBag()

  func type(_ text: String) { textRelay.value = text }

  func start(_ clock: ManualClock, _ search: @escaping @Sendable (String) -> Void) {
    textRelay.dropFirst().debounce(for: .milliseconds(300), clock: clock).removeDuplicates()
      .subscribe(search).store(in: bag)
  }
}

@Suite(.timeLimit(.minutes(20))) struct `A search as you type` {
  @Test func `R7: what is typed at once is searched, and the text before isn't`() async {
    let clock = ManualClock()
    let found = Log<String>()
    let model = SearchModel()
    model.start(clock) { found.note($0) }
    // `debounce` before `dropFirst` would take this for the current value's place, and drop it.
    for text in ["t", "te", "tea"] { model.type(text) }
    clock.advance(by: .milliseconds(300))
    #expect(await becomesTrue { found.entries == ["tea"] })
    // There and back again is no other text.
    model.type("teas")
    model.type("tea")
    clock.advance(by: .milliseconds(300))
    model.type("coffee")
    clock.advance(by: .milliseconds(300))
    #expect(await becomesTrue { found.entries.last == "coffee" })
    #expect(found.entries == ["tea", "coffee"])
  }
}
