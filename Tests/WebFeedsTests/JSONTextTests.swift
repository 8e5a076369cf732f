import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import TestSupport
import Testing

@testable import WebFeeds

/// Values that are easily written wrongly.
private let values: [StoredValue] = [
  .null, .integer(0), .integer(.min), .integer(.max), .real(8), .real(-0.0), .real(0), .real(2.5),
  .real(1e300), .real(.leastNonzeroMagnitude), .real(1e16), .real(.infinity), .real(-.infinity),
  .real(.pi),
  .text(""), .text("\"\\/"), .text("\u{0}\u{1}\u{1F}\u{7F}\u{80}"), .text("a\nb\r\nc\td"),
  .text("\u{2028}\u{2029}"), .text("é🇫🇷👨‍👩‍👧"), .text("</script><script>alert(1)</script>"), .text("é"),
  .bytes([]), .bytes([0, 255, 10]), .list([.integer(1), .text("x\"")]),
  .list([.real(8), .list([.real(-0.0)]), .null]), .list([]),
]

@Suite struct JSONTextTests {
  @Test func `W2: a page is the JSON that the library's own reader reads`() throws {
    var random = SeededGenerator(number: 1)
    for round in 0..<300 {
      let page = Self.page(&random)
      let read = try JSONDecoder().decode(FeedPage<FeedValues>.self, from: Data(page.json))
      #expect(read == page, "round \(round)")
      // And it is what the encoder writes.
      let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(page))
      let written = try JSONSerialization.jsonObject(with: Data(page.json))
      #expect(encoded as? NSDictionary == written as? NSDictionary, "round \(round)")
    }
  }

  @Test func `W2: a text has no line breaks, whatever its values are`() {
    for value in values {
      var text = JSONText()
      text.value(value)
      #expect(text.bytes.allSatisfy { $0 >= 0x20 }, "\(value)")
    }
  }

  private static func page(_ random: inout SeededGenerator) -> FeedPage<FeedValues> {
    func value() -> StoredValue { values.randomElement(using: &random) ?? .null }
    func row() -> FeedPage<FeedValues>.Row {
      let names = ["id", "a b", "\"", ".real", "..real", "owner.name", "ä", ""]
      let count = Int.random(in: 0...5, using: &random)
      let pairs = (0..<count).map { _ in (names.randomElement(using: &random) ?? "", value()) }
      return FeedPage.Row(
        content: FeedValues(Dictionary(pairs) { $1 }),
        hash: .random(in: .min ... .max, using: &random))
    }
    func section() -> FeedSection {
      FeedSection(
        identity: value(), title: value().brief, hash: .random(in: .min ... .max, using: &random))
    }
    let cursor = FeedCursor(
      feed: .random(in: .min ... .max, using: &random), version: .random(in: 0...9, using: &random),
      sum: .random(in: .min ... .max, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return FeedPage(cursor: cursor, news: .unchanged)
    case 1, 2:
      let sections = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        ListSection(
          header: section(), rows: (0..<Int.random(in: 0...3, using: &random)).map { _ in row() })
      }
      return FeedPage(cursor: cursor, news: .reset(sections))
    default:
      let path = ListPath(section: 2, row: 0)
      let changes = FeedPage<FeedValues>.Changes(
        after: cursor,
        list: ListChanges(
          deletedSections: [4], insertedSections: [5],
          movedSections: [PositionChange(old: 3, new: 2)],
          updatedSections: [PositionChange(old: 1, new: 0)],
          deletes: [ListPath(section: 0, row: 7)],
          inserts: [ListPath(section: 1, row: 0), path],
          moves: [
            PositionChange(old: ListPath(section: 0, row: 1), new: ListPath(section: 3, row: 0))
          ], updates: [PositionChange(old: path, new: path)]),
        sections: [.init(position: 0, section: section())], rows: [.init(path: path, row: row())])
      return FeedPage(cursor: cursor, news: .changes(changes))
    }
  }
}
