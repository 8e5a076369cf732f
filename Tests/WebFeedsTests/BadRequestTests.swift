import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import TestSupport
import Testing

@testable import WebFeeds

@Suite struct BadRequestTests {
  private let shape: ShapeFeed

  init() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { try $0.insert(Car(id: 1, model: "Volvo", year: 1, owner: nil)) }
    shape = ShapeFeed(of: try FetchedObjectsModel(Query<Car>(), in: store), identity: 7)
  }

  private func answer(_ parameters: [String: String]) throws -> WebAnswer {
    guard case .answer(let answer) = shape.reply(to: parameters) else {
      throw ShapeClient.Failure.brokenRule("it waits")
    }
    return answer
  }

  private let handle = "0000000000000007-0000000000000001"

  @Test(arguments: [
    [:], ["offset": ""], ["offset": "0"], ["offset": "-1", "live": "true"],
    ["offset": "now", "live": "true"], ["offset": "-1", "live": "yes"],
    ["offset": "-1", "where": "1=1"], ["offset": "-1", "columns": "id"],
    ["offset": "-1", "subset__where": "x"], ["offset": "-1", "params[1]": "x"],
    ["offset": "-1", "replica": "full"], ["offset": "-2"], ["offset": "1_1_1"],
    ["offset": "+100000000000000000000_0"], ["offset": "１00000000000000000000_0"],
    ["offset": String(repeating: "1", count: 100_000) + "_0"],
    ["offset": "1\u{0}00000000000000000000_0"],
    ["offset": "100000000000000000000_0"], ["offset": "_0"], ["offset": "0_"], ["offset": "0_inf"],
    [
      "offset": "100000000000000000000_3", "handle": "0000000000000007-0000000000000001",
      "live": "true",
    ],
  ]) func `W3: a request that isn't one of the protocol gets 400`(_ parameters: [String: String])
    throws
  {
    let answer = try answer(parameters)
    #expect(answer.status == 400)
    #expect(
      String(decoding: answer.body, as: UTF8.self).hasPrefix(
        #"{"error":{"kind":"badRequest","message":"#))
    #expect(answer["electric-offset"] == nil)
    #expect(shape.heldVersionCount == 0, "nothing is kept")
  }

  @Test(arguments: [
    "", "x", "0000000000000008-0000000000000001", "0000000000000007", "0000000000000007-1",
    "+000000000000007-0000000000000001", String(repeating: "0", count: 100_000),
  ]) func `W1: an unknown handle gets 409 and another one`(_ handle: String) throws {
    let answer = try answer(["offset": "100000000000000000000_0", "handle": handle])
    #expect(answer.status == 409)
    #expect(
      answer["electric-handle"].map { $0 != handle && $0.hasPrefix("0000000000000007-") } == true)
    #expect(
      String(decoding: answer.body, as: UTF8.self) == #"[{"headers":{"control":"must-refetch"}}]"#)
  }

  @Test(arguments: [
    "100000000000000000000_0", "100000000000000000000_1",
    "922337203685477580718446744073709551615_0",
    "000000000000000000000_0", "100000000000000000000_2147483647",
    // Of another server.
    "0_0", "26800584_4", "100000000000000000000_99999999999",
  ]) func `W1: an offset that isn't held gets 409`(_ offset: String) throws {
    for live in ["false", "true"] where live == "false" || offset.hasSuffix("0_0") {
      #expect(try answer(["offset": offset, "handle": handle, "live": live]).status == 409)
    }
  }

  @Test func `W1: an offset and a handle are read as they were written`() throws {
    var random = SeededGenerator(number: 3)
    for _ in 0..<2000 {
      let cursor = FeedCursor(
        feed: 0,
        version: Int64.random(in: 0 ... .max, using: &random)
          >> Int64.random(in: 0..<63, using: &random),
        sum: UInt64.random(in: .min ... .max, using: &random)
          >> UInt64.random(in: 0..<64, using: &random))
      let offset = ShapeOffset(cursor, rows: Int.random(in: 0...Int(Int32.max), using: &random))
      #expect(ShapeOffset(offset.description) == offset)
      let handle = ShapeHandle(feed: .random(in: .min ... .max, using: &random))
      #expect(ShapeHandle(handle.description) == handle)
      // Any other text is safe.
      var bytes = Array(offset.description.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0..<128, using: &random)
      _ = ShapeOffset(String(decoding: bytes, as: UTF8.self))
    }
  }
}
