import Testing
import WebFeeds

@testable import HTTPServer

private func head(
  _ headers: [(String, String)], path: String = "/", query: [(String, String)] = [],
  version: String = "HTTP/1.1", limit: Int = 1000
) -> RequestHead {
  RequestHead(
    "POST", path, version,
    headers: headers.map { RequestHead.Entry(name: $0, value: $1) },
    parameters: query.map { RequestHead.Entry(name: $0, value: $1) }, limit: limit)
}

private let host = ("host", "localhost")

@Suite struct RequestHeadTests {
  @Test(arguments: [
    [("content-length", "2"), ("transfer-encoding", "chunked")],
    [("Transfer-Encoding", "chunked"), ("content-length", "2")],
    [("content-length", "2"), ("Content-Length", "2")], [("content-length", "2, 2")],
    [("content-length", "-1")], [("content-length", "+1")], [("content-length", "")],
    [("content-length", "99999999999999999999")], [("content-length ", "2")],
    [("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")], [("a b", "x")],
    [("host", "evil.example")], [("", "x")], [("a", "x\u{0}")], [("a", "x\ry")], [("ä", "x")],
  ])
  func
    `A request that another server could read in another way is refused, and the connection closed`(
      _ headers: [(String, String)]
    )
  {
    let fault = head([host] + headers).fault
    #expect(fault?.status == 400)
    #expect(fault?["connection"] == "close")
  }

  @Test func `A coding that isn't known is refused, and a known one is taken`() {
    #expect(head([host, ("transfer-encoding", "gzip, chunked")]).fault?.status == 501)
    #expect(head([host, ("transfer-encoding", "Chunked")]).fault == nil)
    #expect(head([host, ("transfer-encoding", "Chunked")]).length == nil)
    #expect(head([host, ("content-length", "007")]).length == 7)
  }

  @Test func `A request needs a host, but for HTTP 1.0`() {
    #expect(head([]).fault?.status == 400)
    #expect(head([], version: "HTTP/1.0").fault == nil)
  }

  @Test func `Long heads are refused, whatever is long`() {
    #expect(head([host], path: "/" + String(repeating: "a", count: 1000)).fault?.status == 431)
    #expect(head([host, ("a", String(repeating: "a", count: 1000))]).fault?.status == 431)
    #expect(head([host], query: [("a", String(repeating: "a", count: 1000))]).fault?.status == 431)
    #expect(head([host] + (0..<100).map { ("h\($0)", "") }, limit: 100_000).fault?.status == 431)
    #expect(
      head([host], query: (0...100).map { ("p\($0)", "") }, limit: 100_000).fault?.status == 431)
  }

  @Test func `Percent signs are decoded once, and a wrong one is refused`() {
    let right = head([host], path: "/a%2Fb%25%32", query: [("%61", "%E2%82%AC"), ("a", "1+1")])
    #expect(right.request.path == "/a/b%2")
    #expect(right.request.query == ["a": "1+1"])
    for wrong in ["%", "%0", "%zz", "%+1", "%00", "a%00b", "% 1"] {
      #expect(head([host], path: "/" + wrong).fault?.status == 400)
      #expect(head([host], query: [("a", wrong)]).fault?.status == 400)
      #expect(head([host], query: [(wrong, "a")]).fault?.status == 400)
    }
    for wrong in ["/ x", "/\u{1}", "/\u{7F}"] {
      #expect(head([host], path: wrong).fault?.status == 400)
    }
    // Bytes that aren't UTF-8 are replaced.
    #expect(head([host], query: [("a", "%FF")]).request.query["a"] == "\u{FFFD}")
  }

  @Test func `The first of several headers counts, and the last of several parameters`() {
    let request = head([host, ("A", "1"), ("a", "2")], query: [("b", "1"), ("b", "2")]).request
    #expect(request.headers["a"] == "1" && request.query["b"] == "2")
  }
}
