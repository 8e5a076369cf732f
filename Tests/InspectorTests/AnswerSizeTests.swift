import EntityStore
import Fixtures
import Foundation
import Inspector
import TestSupport
import Testing
import WebFeeds

@Suite struct AnswerSizeTests {
  private func json(_ answer: WebAnswer?) throws -> [String: Any] {
    let answer = try #require(answer)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  @Test func `Long values are sent as their beginnings, with the names of those that changed`()
    throws
  {
    let store = try Store(.inMemory, entities: [Blob.self, Note.self])
    let inspector = try #require(Inspector(store, inRelease: true))
    let bytes = [UInt8](repeating: 0xAB, count: 100_000)
    let text = "x" + String(repeating: "e\u{301}", count: 100_000)
    try store.commit { draft in
      try draft.insert(Blob(id: 1, bytes: bytes))
      try draft.insert(Note(id: 1, text: text))
    }
    try store.commit { draft in
      try draft.update(Blob.self, 1) { $0.bytes = bytes + [0] }
      try draft.update(Note.self, 1) { $0.text = text + "." }
    }
    let whole = try #require(inspector.answer("GET", "state"))
    let history = try #require(inspector.answer("GET", "history", ["object": "Note(1)"]))
    #expect(whole.body.count < 20_000 && history.body.count < 20_000)

    let state = try json(inspector.answer("GET", "state", ["after": "1"]))
    let commits = try #require(state["commits"] as? [[String: Any]])
    let changes = try #require(commits.first?["changes"] as? [[String: Any]])
    #expect(changes.flatMap { $0["changed"] as? [String] ?? [] }.sorted() == ["bytes", "text"])
    let values = changes.compactMap { $0["after"] as? [String: Any] }
    let sentBytes = values.compactMap { $0["bytes"] as? [String: Any] }.first
    #expect(sentBytes?["bytes"] as? String == String(repeating: "ab", count: 16))
    #expect(sentBytes?["size"] as? Int == 100_001)
    // The accent of the 200th letter would be the 401st scalar, so the letter isn't sent.
    let sentText = values.compactMap { $0["text"] as? [String: Any] }.first
    #expect(sentText?["text"] as? String == "x" + String(repeating: "e\u{301}", count: 199))
    #expect(sentText?["size"] as? Int == 300_002)
  }

  @Test func `Values that aren't long are sent whole, and no change is named if none is`() throws {
    let store = try Store(.inMemory, entities: [Blob.self, Note.self])
    let inspector = try #require(Inspector(store, inRelease: true))
    let text = String(repeating: "é", count: 400)
    try store.commit { draft in
      try draft.insert(Blob(id: 1, bytes: [UInt8](0..<16)))
      try draft.insert(Note(id: 1, text: text))
    }
    let answer = try #require(inspector.answer("GET", "state"))
    let sent = String(decoding: answer.body, as: UTF8.self)
    #expect(sent.contains(#""bytes":{"bytes":"000102030405060708090a0b0c0d0e0f"}"#), "\(sent)")
    #expect(sent.contains("\"text\":\"\(text)\""), "\(sent)")
    #expect(sent.contains(#""changed":[]"#), "\(sent)")
  }

  @Test func `A large answer has the first commits, and the next one those after them`() throws {
    let store = try TestStorage.memory.makeGarage()
    let inspector = try #require(Inspector(store, inRelease: true))
    let name = String(repeating: "x", count: 400)
    for age in 0..<40 {
      try store.commit { draft in
        for id in 0..<100 { try draft.upsert(Person(id: id, name: name, age: age)) }
      }
    }
    var numbers: [Int] = []
    var sizes: [Int] = []
    var hasMore = true
    while hasMore && sizes.count < 40 {
      let answer = inspector.answer("GET", "state", ["after": "\(numbers.last ?? 0)"])
      let state = try json(answer)
      numbers += (state["commits"] as? [[String: Any]] ?? []).compactMap { $0["number"] as? Int }
      sizes.append(answer?.body.count ?? 0)
      hasMore = state["more"] as? Bool == true
    }
    #expect(numbers == Array(1...40))
    #expect(sizes.count > 1 && sizes.allSatisfy { $0 < 1_500_000 }, "\(sizes)")
  }
}
