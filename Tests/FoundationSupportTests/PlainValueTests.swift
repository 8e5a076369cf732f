import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

private struct Link: Entity {
  let id: URL
  var icon: Data
  static let attributes = Attributes(.id(\Link.id), .attribute("icon", \.icon))
  static let schema = Schema(attributes, Link.init)
}

@Suite struct `URLs and data are stored` {
  static let urls = [
    "https://example.com", "https://example.com/a%20b?q=1&r=é#f", "file:///music/a%20b/", "a/b",
    "#x",
    "mailto:ann@example.com", "http://[::1]:80/", "HTTP://EXAMPLE.com/%7e", "data:,",
  ]

  @Test func `A URL is its text, and comes back as that`() throws {
    try withEvery("URL", in: Self.urls) { text in
      let url = try #require(URL(string: text))
      expectEqual(url.storedValue, .text(url.absoluteString))
      expectEqual(try URL(storedValue: url.storedValue), url)
    }
    let empty = try #require(URLComponents().url)
    #expect(empty.storedValue == .text(""))
    #expect(try URL(storedValue: .text("")) == empty)
    let file = URL(fileURLWithPath: "/music/a b/ü")
    #expect(try URL(storedValue: file.storedValue) == file)
  }

  @Test func `A relative URL is stored with what it is relative to`() throws {
    let base = try #require(URL(string: "https://example.com/a/"))
    let url = try #require(URL(string: "b", relativeTo: base))
    #expect(url.storedValue == .text("https://example.com/a/b"))
    #expect(try URL(storedValue: url.storedValue).storedValue == url.storedValue)
  }

  @Test func `Text that is no URL, or that Foundation would repair, is refused`() {
    for found: StoredValue in [.text(" "), .text("a b"), .text("http://["), .integer(1), .null] {
      #expect(throws: StoredValue.Mismatch(found, type: URL.self)) { try URL(storedValue: found) }
    }
  }

  @Test func `Data is its bytes`() throws {
    for bytes: [UInt8] in [[], [0], [255, 0, 1]] {
      #expect(Data(bytes).storedValue == .bytes(bytes))
      #expect(try Data(storedValue: .bytes(bytes)) == Data(bytes))
      #expect(Data([9] + bytes).dropFirst().storedValue == .bytes(bytes))
    }
    for found: StoredValue in [.text(""), .integer(1), .null] {
      #expect(throws: StoredValue.Mismatch(found, type: Data.self)) { try Data(storedValue: found) }
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `A URL is an id, and both are found by a condition`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Link.self)
    let links = Self.urls.enumerated().compactMap { index, text in
      URL(string: text).map { Link(id: $0, icon: Data([UInt8(index)])) }
    }
    try store.commit { draft in for link in links { try draft.insert(link) } }
    for link in links {
      #expect(try store.find(Link.self, link.id)?.icon == link.icon)
      #expect(try store.fetch(Query<Link>().filter { $0.icon == link.icon }).map(\.id) == [link.id])
      #expect(try store.count(Query<Link>().filter { $0.id == link.id }) == 1)
    }
  }
}
