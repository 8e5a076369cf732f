import EntityStore
import Foundation
import Testing

@testable import FoundationSupport

@Suite(.serialized) struct `Values of any size do no harm` {
  @Test func `durations beyond the longest one are that`() {
    #expect(Duration.minutes(5) == .seconds(300) && Duration.hours(-2) == .seconds(-7200))
    #expect(Duration.minutes(.max) == .seconds(Int64.max))
    #expect(Duration.hours(.min) == .seconds(Int64.min))
  }

  @Test func `the orders of locales that no query uses are forgotten`() {
    let query = Query<Item>()
    func sorted() -> Query<Item> {
      query.sorted { [$0.name.ascending(by: .localized(Locale(identifier: "sv_SE")))] }
    }
    let kept = sorted()
    for number in 0..<1000 {
      _ = ValueComparator<String>.localized(Locale(identifier: "en_US@x=\(number)"))
    }
    // Another test may use some.
    #expect(ComparatorCache.count < 100)
    #expect(sorted() == kept)
  }
}
